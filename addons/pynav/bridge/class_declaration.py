"""`GodotObject`: the root of all engine objects in Python, and the metaclass that reads declarations."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any

from .declarations import Constant, Export
from .errors import DeclarationError, EngineMissingError
from .interface import RUNNING
from .objects import BY_PYTHON_TYPE, OBJECT_CODEC
from .signals import SignalDeclaration

PENDING: list[Any] = []  # declared classes that are not registered yet


class Declaration:
    """What a Python class adds to its engine parent, in the order of the class body."""

    def __init__(self, python_class: Any, keywords: dict[str, Any]) -> None:
        self.python_class = python_class
        self.icon: str = keywords.get("icon", "")
        self.is_abstract = bool(keywords.get("abstract", False))
        self.is_internal = bool(keywords.get("internal", False))
        self.is_runtime = bool(keywords.get("runtime", False))
        self.is_editor_plugin = bool(keywords.get("editor_plugin", False))
        self.exports: dict[str, Export] = {}
        self.methods: dict[str, Any] = {}
        self.signals: dict[str, SignalDeclaration] = {}
        self.constants: dict[str, Constant] = {}
        self.enums: dict[str, type[enum.IntEnum] | type[enum.IntFlag]] = {}
        for owner in reversed(self.contributors()):
            self._read(owner)

    def contributors(self) -> list[type]:
        """The class and those of its bases that have no engine class of their own: mixins, unregistered
        bases.
        """
        found = []
        for owner in self.python_class.__mro__:
            if (
                owner is not self.python_class
                and isinstance(owner, GodotClass)
                and (owner.is_engine_class or owner.declaration is not None)
            ):
                break
            if owner is not object and owner is not GodotObject:
                found.append(owner)
        return found

    def _read(self, owner: type) -> None:
        for name, value in vars(owner).items():
            if isinstance(value, Export):
                self.exports[name] = value
            elif isinstance(value, SignalDeclaration):
                self.signals[name] = value
            elif isinstance(value, Constant):
                self.constants[name] = value
            elif isinstance(value, type) and issubclass(value, enum.IntEnum | enum.IntFlag):
                self.enums[name] = value
            else:
                inner = value.__func__ if isinstance(value, staticmethod) else value
                if hasattr(inner, "godot_method"):
                    inner.godot_method.is_static = isinstance(value, staticmethod)
                    self.methods[name] = inner


_KEYWORDS = frozenset({"base", "icon", "abstract", "internal", "runtime", "editor_plugin", "register"})


class GodotClass(type):
    """Metaclass of engine classes and of Python classes that become engine classes."""

    is_engine_class: bool
    declaration: Declaration | None
    engine_name: str

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **keywords: Any) -> Any:
        """Read a class statement. Keywords: see the bridge's README."""
        unknown = set(keywords) - _KEYWORDS
        if unknown:
            raise DeclarationError(
                f"class {name}: unknown keyword {', '.join(sorted(unknown))}; known are {', '.join(sorted(_KEYWORDS))}"
            )
        base = keywords.get("base")
        is_root = not any(isinstance(b, GodotClass) for b in bases)
        if base is not None:
            from .engine_classes import engine_class

            base_class = engine_class(base) if isinstance(base, str) else base
            if GodotObject not in bases:
                raise DeclarationError(f"class {name}: base={base!r} goes with GodotObject among the bases")
            bases = tuple(base_class if b is GodotObject else b for b in bases)
        made = super().__new__(mcs, name, bases, namespace)
        made.is_engine_class = False
        made.declaration = None
        made.engine_name = name
        wants_register = keywords.get("register", True)
        if not is_root and wants_register:
            if base is None and all(b is GodotObject for b in bases if isinstance(b, GodotClass)):
                raise DeclarationError(f'class {name}: say which engine class it extends: class {name}(GodotObject, base="Node")')
            made.declaration = Declaration(made, keywords)
            PENDING.append(made)
        return made

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **keywords: Any) -> None:
        super().__init__(name, bases, namespace)

    @classmethod
    def make_engine_class(cls, name: str, base: Any, members: dict[str, Any]) -> Any:
        """The Python class of one of the engine's own classes."""
        made = type.__new__(cls, name, (base,), {"__module__": "godot", "__doc__": f"The engine's {name}.", **members})
        made.is_engine_class = True
        made.declaration = None
        made.engine_name = name
        return made

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        """Construct an engine object."""
        if arguments or named:
            raise TypeError(
                f"{cls.__name__}() takes no arguments: the engine constructs its objects without any; set properties afterwards"
            )
        if not RUNNING:
            raise EngineMissingError(f"a {cls.__name__} can only be made inside the engine")
        if cls.is_engine_class:
            from .engine_classes import new_object

            return new_object(cls, cls.engine_name)
        from .instances import new_instance

        return new_instance(cls)


class GodotObject(metaclass=GodotClass):
    """Root of everything that is an object in the engine. Extend it with ``class Name(GodotObject,
    base="Node2D")``.
    """

    _id: int = 0

    @classmethod
    def _engine_name(cls) -> str:
        return "Object" if cls is GodotObject else cls.engine_name

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def free(self) -> None:
        """End the object now. RefCounted objects end by themselves."""
        from . import objects
        from .errors import EngineCallError
        from .interface import lib

        if self._id & objects.REFCOUNTED_BIT:
            raise EngineCallError(f"{type(self).__name__} is reference counted: it ends by itself when nobody holds it")
        lib.gde_object_destroy(objects.pointer_of(self))

    def get_instance_id(self) -> int:
        """The engine's instance id, as GDScript sees it."""
        return self._id - (1 << 64) if self._id >> 63 else self._id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GodotObject) and self._id == other._id

    def __hash__(self) -> int:
        return hash(self._id)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}#{self._id}>"


BY_PYTHON_TYPE[GodotObject] = OBJECT_CODEC

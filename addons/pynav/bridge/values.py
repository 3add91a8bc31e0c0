"""Godot's small value types as immutable named tuples: vectors, rectangles, transforms, colours.

Each class knows how its numbers lie in the engine's memory: `flat` gives them in that order, `from_flat`
reads them back. Floats are Python floats here and 32-bit floats in the engine. `coerce` accepts any
sequence of the right length, and says what it expected otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Self


class Value:
    """What the value types share; each is also a named tuple."""

    __slots__ = ()
    scalar: ClassVar[type] = float
    length: ClassVar[int] = 0

    @classmethod
    def from_flat(cls, numbers: Sequence[Any]) -> Self:
        """From the numbers as they lie in the engine's memory."""
        return cls(*numbers)

    def flat(self) -> Sequence[Any]:
        """The numbers as they lie in the engine's memory."""
        return self  # type: ignore[return-value]

    @classmethod
    def coerce(cls, value: Any) -> Self:
        """A value of this type from itself or from a sequence; TypeError in words otherwise."""
        if isinstance(value, cls):
            return value
        try:
            return cls._from_sequence(value)
        except (TypeError, ValueError):
            raise TypeError(f"expected {cls.__name__} (or a sequence of {cls._shape()}), got {value!r}") from None

    @classmethod
    def _from_sequence(cls, value: Any) -> Self:
        if isinstance(value, (str, bytes)):
            raise TypeError
        numbers = [cls.scalar(x) for x in value]
        if len(numbers) != cls.length:
            raise ValueError
        return cls(*numbers)

    @classmethod
    def _shape(cls) -> str:
        return f"{cls.length} {cls.scalar.__name__}s"


class _Arithmetic(Value):
    """Element by element, with a value of the same type or a number."""

    __slots__ = ()

    def _with(self, other: Any) -> Any:
        if isinstance(other, (int, float)):
            return (other,) * self.length
        return self.coerce(other)

    def __add__(self, other: Any) -> Self:  # type: ignore[override,unused-ignore]
        return type(self)(*[a + b for a, b in zip(self, self._with(other), strict=True)])  # type: ignore[call-overload]

    def __sub__(self, other: Any) -> Self:
        return type(self)(*[a - b for a, b in zip(self, self._with(other), strict=True)])  # type: ignore[call-overload]

    def __mul__(self, other: Any) -> Self:  # type: ignore[override,unused-ignore]
        return type(self)(*[a * b for a, b in zip(self, self._with(other), strict=True)])  # type: ignore[call-overload]

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Self:
        return type(self)(*[self.scalar(a / b) for a, b in zip(self, self._with(other), strict=True)])  # type: ignore[call-overload]

    def __neg__(self) -> Self:
        return type(self)(*[-a for a in self])  # type: ignore[attr-defined]

    def length_squared(self) -> float:
        """Sum of the squares."""
        return float(sum(a * a for a in self))  # type: ignore[attr-defined]

    def dot(self, other: Any) -> float:
        """Scalar product."""
        return float(sum(a * b for a, b in zip(self, self.coerce(other), strict=True)))  # type: ignore[call-overload]


class _Two(NamedTuple):
    x: Any = 0.0
    y: Any = 0.0


class _Three(NamedTuple):
    x: Any = 0.0
    y: Any = 0.0
    z: Any = 0.0


class _Four(NamedTuple):
    x: Any = 0.0
    y: Any = 0.0
    z: Any = 0.0
    w: Any = 0.0


class _TwoInts(NamedTuple):
    x: Any = 0
    y: Any = 0


class _ThreeInts(NamedTuple):
    x: Any = 0
    y: Any = 0
    z: Any = 0


class _FourInts(NamedTuple):
    x: Any = 0
    y: Any = 0
    z: Any = 0
    w: Any = 0


class Vector2(_Arithmetic, _Two):
    """Two floats."""

    __slots__ = ()
    length = 2


class Vector3(_Arithmetic, _Three):
    """Three floats."""

    __slots__ = ()
    length = 3


class Vector4(_Arithmetic, _Four):
    """Four floats."""

    __slots__ = ()
    length = 4


class Vector2i(_Arithmetic, _TwoInts):
    """Two 32-bit integers."""

    __slots__ = ()
    scalar = int
    length = 2


class Vector3i(_Arithmetic, _ThreeInts):
    """Three 32-bit integers."""

    __slots__ = ()
    scalar = int
    length = 3


class Vector4i(_Arithmetic, _FourInts):
    """Four 32-bit integers."""

    __slots__ = ()
    scalar = int
    length = 4


class _Color(NamedTuple):
    r: float = 0.0
    g: float = 0.0
    b: float = 0.0
    a: float = 1.0


class Color(_Arithmetic, _Color):
    """Red, green, blue, alpha as floats; 1.0 is full."""

    __slots__ = ()
    length = 4

    @classmethod
    def _from_sequence(cls, value: Any) -> Self:
        numbers = [float(x) for x in value]
        if isinstance(value, (str, bytes)) or len(numbers) not in (3, 4):
            raise ValueError
        return cls(*numbers)


class _Quaternion(NamedTuple):
    x: float = 0.0
    y: float = 0.0
    z: float = 0.0
    w: float = 1.0


class Quaternion(Value, _Quaternion):
    """A rotation."""

    __slots__ = ()
    length = 4


class _Plane(NamedTuple):
    normal: Vector3 = Vector3()
    d: float = 0.0


class _Composite(Value):
    """Made of other values; `parts` names the type of each field."""

    __slots__ = ()
    parts: ClassVar[tuple[type[Any], ...]] = ()

    @classmethod
    def from_flat(cls, numbers: Sequence[Any]) -> Self:
        """From the numbers as they lie in the engine's memory."""
        fields, start = [], 0
        for part in cls.parts:
            if part is float:
                fields.append(numbers[start])
                start += 1
            else:
                fields.append(part.from_flat(numbers[start : start + part.length]))
                start += part.length
        return cls(*fields)

    def flat(self) -> Sequence[Any]:
        """The numbers as they lie in the engine's memory."""
        numbers: list[Any] = []
        for part, field in zip(self.parts, self, strict=True):  # type: ignore[call-overload]
            if part is float:
                numbers.append(field)
            else:
                numbers.extend(part.coerce(field).flat())
        return numbers

    @classmethod
    def _from_sequence(cls, value: Any) -> Self:
        items = list(value)
        if len(items) == len(cls.parts):
            return cls(*[part(x) if part is float else part.coerce(x) for part, x in zip(cls.parts, items, strict=True)])
        if len(items) != cls.length:
            raise ValueError
        return cls.from_flat([cls.scalar(x) for x in items])

    @classmethod
    def _shape(cls) -> str:
        return f"{cls.length} {cls.scalar.__name__}s, or {', '.join(part.__name__ for part in cls.parts)}"


class Plane(_Composite, _Plane):
    """Normal and distance from the origin."""

    __slots__ = ()
    length = 4
    parts = (Vector3, float)


class _Rect2(NamedTuple):
    position: Vector2 = Vector2()
    size: Vector2 = Vector2()


class Rect2(_Composite, _Rect2):
    """A rectangle of floats."""

    __slots__ = ()
    length = 4
    parts = (Vector2, Vector2)


class _Rect2i(NamedTuple):
    position: Vector2i = Vector2i()
    size: Vector2i = Vector2i()


class Rect2i(_Composite, _Rect2i):
    """A rectangle of integers."""

    __slots__ = ()
    scalar = int
    length = 4
    parts = (Vector2i, Vector2i)


class _AABB(NamedTuple):
    position: Vector3 = Vector3()
    size: Vector3 = Vector3()


class AABB(_Composite, _AABB):
    """A box."""

    __slots__ = ()
    length = 6
    parts = (Vector3, Vector3)


class _Transform2D(NamedTuple):
    x: Vector2 = Vector2(1.0, 0.0)
    y: Vector2 = Vector2(0.0, 1.0)
    origin: Vector2 = Vector2(0.0, 0.0)


class Transform2D(_Composite, _Transform2D):
    """Two axes and an origin: ``transform.apply(p) = p.x * x + p.y * y + origin``."""

    __slots__ = ()
    length = 6
    parts = (Vector2, Vector2, Vector2)

    def apply(self, point: Any) -> Vector2:
        """A point, from local to outer coordinates."""
        px, py = point
        return Vector2(px * self.x.x + py * self.y.x + self.origin.x, px * self.x.y + py * self.y.y + self.origin.y)

    def inverse(self) -> Transform2D:
        """The affine inverse. ZeroDivisionError where an axis is null."""
        (a, b), (c, d), (tx, ty) = self
        factor = 1.0 / (a * d - b * c)
        x, y = Vector2(d * factor, -b * factor), Vector2(-c * factor, a * factor)
        return Transform2D(x, y, Vector2(-(tx * x.x + ty * y.x), -(tx * x.y + ty * y.y)))


class _Basis(NamedTuple):
    x: Vector3 = Vector3(1.0, 0.0, 0.0)
    y: Vector3 = Vector3(0.0, 1.0, 0.0)
    z: Vector3 = Vector3(0.0, 0.0, 1.0)


class Basis(_Composite, _Basis):
    """Three axes (the columns of the matrix; the engine's memory holds its rows)."""

    __slots__ = ()
    length = 9
    parts = (Vector3, Vector3, Vector3)

    @classmethod
    def from_flat(cls, numbers: Sequence[Any]) -> Self:
        """From the engine's rows."""
        return cls(Vector3(*numbers[0:9:3]), Vector3(*numbers[1:9:3]), Vector3(*numbers[2:9:3]))

    def flat(self) -> Sequence[Any]:
        """The engine's rows."""
        x, y, z = self
        return (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


class _Transform3D(NamedTuple):
    basis: Basis = Basis()
    origin: Vector3 = Vector3()


class Transform3D(_Composite, _Transform3D):
    """A basis and an origin."""

    __slots__ = ()
    length = 12
    parts = (Basis, Vector3)

    def apply(self, point: Any) -> Vector3:
        """A point, from local to outer coordinates."""
        px, py, pz = point
        x, y, z = self.basis
        return Vector3(*[px * x[i] + py * y[i] + pz * z[i] + self.origin[i] for i in range(3)])

    def inverse(self) -> Transform3D:
        """The affine inverse. ZeroDivisionError where the basis is singular."""
        x, y, z = self.basis

        def cross(a: Vector3, b: Vector3) -> Vector3:
            return Vector3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)

        factor = 1.0 / x.dot(cross(y, z))
        rows = (cross(y, z) * factor, cross(z, x) * factor, cross(x, y) * factor)
        basis = Basis(*[Vector3(*column) for column in zip(*rows, strict=True)])
        return Transform3D(basis, -Transform3D(basis).apply(self.origin))


class _Projection(NamedTuple):
    x: Vector4 = Vector4(1.0, 0.0, 0.0, 0.0)
    y: Vector4 = Vector4(0.0, 1.0, 0.0, 0.0)
    z: Vector4 = Vector4(0.0, 0.0, 1.0, 0.0)
    w: Vector4 = Vector4(0.0, 0.0, 0.0, 1.0)


class Projection(_Composite, _Projection):
    """Four columns."""

    __slots__ = ()
    length = 16
    parts = (Vector4, Vector4, Vector4, Vector4)


class RID(int):
    """Handle of a server's resource; 0 is none."""

    def is_valid(self) -> bool:
        """Whether it names anything."""
        return self != 0


class StringName(str):
    """A str that crosses into the engine as StringName."""

    __slots__ = ()


class NodePath(str):
    """A str that crosses into the engine as NodePath."""

    __slots__ = ()


VALUE_TYPES: tuple[type[Any], ...] = (
    Vector2,
    Vector2i,
    Rect2,
    Rect2i,
    Vector3,
    Vector3i,
    Transform2D,
    Vector4,
    Vector4i,
    Plane,
    Quaternion,
    AABB,
    Basis,
    Transform3D,
    Projection,
    Color,
)

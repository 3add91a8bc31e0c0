"""The engine's API dump (6.8 MB of JSON) as a compact table that the bridge reads piece by piece.

The table is text. Line 1 is a JSON object: engine version, sizes and builtin methods of the Variant types,
singletons, parent of each class, and for each piece its place ``[offset, length]`` in what follows line 1.
A piece is the JSON of one class, or of one of the pieces named ``@constants`` and ``@utilities``. Reading a
class costs tens of microseconds and happens when the class is first used.

A class piece: ``m`` methods ``{name: [hash, flags, result, [argument type, ...], [argument name, ...], [default text, ...]]}``,
``p`` properties ``{name: [type, setter, getter, index]}``, ``v`` virtuals ``{name: [hash, result, [argument type, ...]]}``,
``c`` constants (enum values included) ``{name: value}``, ``s`` signals ``{name: [argument type, ...]}``.
"""

from __future__ import annotations

import json
from typing import Any

STATIC, VARARG, CONST = 1, 2, 4
BUILD_CONFIGURATION = "float_64"


def _type(entry: dict[str, Any] | None) -> str:
    return str(entry["type"]) if entry else "void"


def class_piece(entry: dict[str, Any]) -> dict[str, Any]:
    """The compact form of one class of the dump."""
    methods: dict[str, Any] = {}
    virtuals: dict[str, Any] = {}
    for method in entry.get("methods", ()):
        arguments = method.get("arguments", ())
        types = [_type(a) for a in arguments]
        if method["is_virtual"]:
            virtuals[method["name"]] = [method.get("hash", 0), _type(method.get("return_value")), types]
            continue
        flags = STATIC * method["is_static"] | VARARG * method["is_vararg"] | CONST * method["is_const"]
        defaults = [a["default_value"] for a in arguments if "default_value" in a]
        methods[method["name"]] = [
            method["hash"],
            flags,
            _type(method.get("return_value")),
            types,
            [a["name"] for a in arguments],
            defaults,
        ]
    constants = {c["name"]: c["value"] for c in entry.get("constants", ())}
    for enum in entry.get("enums", ()):
        constants.update({value["name"]: value["value"] for value in enum["values"]})
    properties = {
        p["name"]: [p["type"], p.get("setter", ""), p.get("getter", ""), p.get("index", -1)] for p in entry.get("properties", ())
    }
    signals = {s["name"]: [_type(a) for a in s.get("arguments", ())] for s in entry.get("signals", ())}
    return {"m": methods, "p": properties, "v": virtuals, "c": constants, "s": signals}


def build_table(api: dict[str, Any]) -> str:
    """The whole table, from the parsed dump."""
    pieces = {entry["name"]: class_piece(entry) for entry in api["classes"]}
    constants = {c["name"]: c["value"] for c in api["global_constants"]}
    for enum in api["global_enums"]:
        constants.update({value["name"]: value["value"] for value in enum["values"]})
    pieces["@constants"] = constants
    pieces["@utilities"] = {
        f["name"]: [
            f["hash"],
            f.get("return_type", "void"),
            f["is_vararg"],
            [a["type"] for a in f.get("arguments", ())],
        ]
        for f in api["utility_functions"]
    }
    sizes = next(s for s in api["builtin_class_sizes"] if s["build_configuration"] == BUILD_CONFIGURATION)["sizes"]
    builtins = {}
    for entry in api["builtin_classes"]:
        builtins[entry["name"]] = {
            "methods": {m["name"]: m["hash"] for m in entry.get("methods", ())},
            "constructors": [[a["type"] for a in c.get("arguments", ())] for c in entry.get("constructors", ())],
        }
    header = api["header"]
    index, body, offset = {}, [], 0
    for name, piece in pieces.items():
        text = json.dumps(piece, separators=(",", ":"), ensure_ascii=True)
        index[name] = [offset, len(text)]
        body.append(text + "\n")
        offset += len(text) + 1
    head = {
        "version": [header["version_major"], header["version_minor"], header["version_patch"]],
        "precision": header.get("precision", "single"),
        "sizes": {s["name"]: s["size"] for s in sizes},
        "builtins": builtins,
        "singletons": {s["name"]: s["type"] for s in api["singletons"]},
        "parents": {c["name"]: c.get("inherits", "") for c in api["classes"]},
        "levels": {c["name"]: c["api_type"] for c in api["classes"] if c["api_type"] != "core"},
        "abstract": [c["name"] for c in api["classes"] if not c["is_instantiable"]],
        "refcounted": [c["name"] for c in api["classes"] if c["is_refcounted"]],
        "index": index,
    }
    return json.dumps(head, separators=(",", ":"), ensure_ascii=True) + "\n" + "".join(body)

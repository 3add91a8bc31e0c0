"""LLVM's forms of the functions in lanes.py; loaded by the compiler alone.

Vectors of eight are a type of LLVM's: each processor baseline gets the widest that it has. No operation may be reordered or
contracted, so the bits are those of the plain bodies.
"""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from pynav.kernels import lanes

_LANES = lanes.LANES
_INT8, _INT32, _INT64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_FLOATS = ir.VectorType(ir.FloatType(), _LANES)
_INTS = ir.VectorType(_INT32, _LANES)
_BYTES = ir.VectorType(_INT8, _LANES)


def _spread(builder: Any, value: Any, vector: ir.VectorType) -> Any:
    """The value in all lanes."""
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(_INT32, 0))
    return builder.shuffle_vector(one, ir.Constant(vector, ir.Undefined), ir.Constant(_INTS, [0] * _LANES))


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any, vector: ir.VectorType) -> Any:
    """Pointer to a vector of an array's items from an index on."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())


@intrinsic
def _discs_near(typing_context, x_of, y_of, radius_of, first, x, y, reach):  # type: ignore[no-untyped-def]
    signature = types.int64(x_of, y_of, radius_of, types.int64, types.float32, types.float32, types.float32)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        index = arguments[3]
        items = [
            builder.load(_place(context, builder, kind, array, index, _FLOATS), align=4)
            for kind, array in zip(signature.args[:3], arguments[:3], strict=True)
        ]
        point_x, point_y, reach = (_spread(builder, value, _FLOATS) for value in arguments[4:])
        away_x = builder.fsub(items[0], point_x)
        away_y = builder.fsub(items[1], point_y)
        limit = builder.fadd(reach, items[2])
        squared = builder.fadd(builder.fmul(away_x, away_x), builder.fmul(away_y, away_y))
        near = builder.fcmp_ordered("<", squared, builder.fmul(limit, limit))
        return builder.zext(builder.bitcast(near, _INT8), _INT64)

    return signature, generate


@intrinsic
def _items_below(typing_context, values, limits, first):  # type: ignore[no-untyped-def]
    signature = types.int64(values, limits, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        items = [
            builder.load(_place(context, builder, kind, array, arguments[2], _INTS), align=4)
            for kind, array in zip(signature.args[:2], arguments[:2], strict=True)
        ]
        below = builder.icmp_signed("<", *items)
        return builder.zext(builder.bitcast(below, _INT8), _INT64)

    return signature, generate


def _set_lanes(bits: int) -> list[int]:
    """Numbers of the bits that are set, then zeros."""
    found = [lane for lane in range(_LANES) if bits >> lane & 1]
    return found + [0] * (_LANES - len(found))


@intrinsic
def _append_set(typing_context, out, count, first, bits):  # type: ignore[no-untyped-def]
    signature = types.int64(out, types.int64, types.int64, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        out, count, first, bits = arguments
        rows = ir.ArrayType(_BYTES, 256)
        table = ir.Constant(rows, [ir.Constant(_BYTES, _set_lanes(byte)) for byte in range(256)])
        variable = cgutils.global_constant(builder, "set_lanes", table)
        row = builder.load(builder.gep(variable, [ir.Constant(_INT64, 0), bits]))
        numbers = builder.add(builder.zext(row, _INTS), _spread(builder, builder.trunc(first, _INT32), _INTS))
        builder.store(numbers, _place(context, builder, signature.args[0], out, count, _INTS), align=4)
        return builder.add(count, builder.ctpop(bits))

    return signature, generate


@intrinsic
def _prefetch_row(typing_context, table, row):  # type: ignore[no-untyped-def]
    signature = types.void(table, types.int64)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table, row = arguments
        array = context.make_array(signature.args[0])(context, builder, table)
        row_bytes = builder.mul(cgutils.unpack_tuple(builder, array.shape)[1], ir.Constant(_INT64, 4))
        start = builder.gep(builder.bitcast(array.data, _INT8.as_pointer()), [builder.mul(row, row_bytes)])
        fetch = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [_INT8.as_pointer(), _INT32, _INT32, _INT32]),
            "llvm.prefetch.p0",
        )
        last_byte = builder.gep(start, [builder.sub(row_bytes, ir.Constant(_INT64, 1))])
        for place in (start, last_byte):  # a row of up to a cache line's length lies in one or two
            builder.call(fetch, [place, ir.Constant(_INT32, 1), ir.Constant(_INT32, 3), ir.Constant(_INT32, 1)])
        return context.get_dummy_value()

    return signature, generate


COMPILED_FORMS: dict[Callable[..., Any], Any] = {
    lanes.discs_near: _discs_near,
    lanes.items_below: _items_below,
    lanes.append_set: _append_set,
    lanes.prefetch_row: _prefetch_row,
}
"""What the compiler takes for each."""

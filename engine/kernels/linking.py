"""Entries: compiled C functions of one signature that find and call each other by address.

numba links a called function into each of its callers and optimises it there again. Here the large
parts are compiled once. A caller knows an entry by its address, and System and Workspace reach it as
one table of whole numbers:

    table = (addresses of the entries, System, Workspace)       an array is its address and its shape

    status = entry(table, t, y, out, more, flag)                 y, out, more: contiguous numbers

So an integrator knows nothing of mechanics: it can integrate any problem with these entries.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.ccallback import CFunc
from numba.core.errors import TypingError
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, models, register_model
from numba.np.arrayobj import populate_array

from engine.kernels import SOURCES
from engine.kernels.layout import PROTOTYPES
from rotations.jit import OPTIONS, keep
from rotations.jit.folders import folders_for

intrinsic: Any = numba.extending.intrinsic
_AttributeTemplate: Any = AttributeTemplate

_POINTER = types.CPointer(types.float64)
_SIGNATURE = types.int64(
    types.CPointer(types.int64), types.float64, _POINTER, _POINTER, _POINTER, types.int64
)
_IN_C = ctypes.CFUNCTYPE(
    ctypes.c_int64,
    *(ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
    ctypes.c_int64,
)
# --- the entries of a table, by number
DERIVE, CORRECT, NEWTON, FORCE, MODES, TANGENT, STEP, POWER, PRESS, PIVOTS, MEET, SHOW = range(12)
N_ENTRIES = 12

FOLDERS = folders_for(*SOURCES)  # now: the sources may be edited while the program runs
NOTHING = np.zeros(1)  # for an argument that an entry does not use


class Entry:
    """A C function `name(table, t, y, out, more, flag)`, compiled or loaded when first needed."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.name, self.__doc__ = function.__name__, function.__doc__
        self.py_func = function  # named as numba does
        self._compiled: CFunc | None = None

    @property
    def address(self) -> int:
        """Where its machine code is."""
        if self._compiled is None:
            compiled = CFunc(
                self.py_func, (_SIGNATURE.args, _SIGNATURE.return_type), {}, dict(OPTIONS)
            )
            keep(compiled, self.py_func, FOLDERS)
            compiled.compile()
            self._compiled = compiled
        return int(self._compiled.address or 0)

    def __call__(
        self,
        table: np.ndarray,
        t: float,
        y: np.ndarray,
        out: np.ndarray = NOTHING,
        more: np.ndarray = NOTHING,
        flag: int = 0,
    ) -> int:
        """Call it from Python; arrays must be contiguous and of the length that the entry expects."""
        data = [a.__array_interface__["data"][0] for a in (table, y, out, more)]
        return int(_IN_C(self.address)(data[0], t, *data[1:], flag))


def from_python(function: Callable[[int, float, int, int, int, int], int]) -> Any:
    """A Python function as a C function of this signature; keep it as long as its address is used."""
    return _IN_C(function)


def words(value: Any) -> list[int]:
    """A tuple of numbers, arrays and tuples as whole numbers, in the order `unpack` reads them."""
    if isinstance(value, tuple):
        return [word for part in value for word in words(part)]
    if isinstance(value, np.ndarray):
        assert value.flags.c_contiguous, "kernels take arrays in a row"
        return [
            value.ctypes.data,
            *value.shape,
        ]  # its interface would describe every field of a record
    return [int(value)]


def _value_from(context: Any, builder: Any, kind: Any, load: Callable[[], Any]) -> Any:
    """Code that builds a value of a numba type from the next words of a table."""
    if isinstance(kind, types.NamedTuple):
        parts = [_value_from(context, builder, part, load) for part in kind.types]
        return context.make_tuple(builder, kind, parts)
    if not isinstance(kind, types.Array):
        return load()
    array = context.make_array(kind)(context, builder)
    data = builder.inttoptr(load(), array.data.type)
    shape = [load() for _ in range(kind.ndim)]
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [context.get_constant(types.intp, size)]
    for n in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], n))
    populate_array(array, data, shape, strides, itemsize=strides[-1], meminfo=None)
    return array._getvalue()


class Reference(types.Type):
    """A System or a Workspace in compiled code: a place in a table, read field by field."""

    def __init__(self, prototype: Any, start: int) -> None:
        super().__init__(f"Reference({type(prototype).__name__})")
        self.fields: dict[str, tuple[Any, int]] = {}  # name: type, and where it starts
        for name, value in zip(prototype._fields, prototype):
            self.fields[name] = (numba.typeof(value), start)
            start += len(words(value))
        self.stop = start


@register_model(Reference)
class _ReferenceModel(models.PrimitiveModel):
    """A pointer to the table."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.IntType(64).as_pointer())


@infer_getattr
class _ReferenceAttributes(_AttributeTemplate):
    """The types of its fields."""

    key = Reference

    def generic_resolve(self, reference: Any, name: str) -> Any:
        """The type of one field."""
        return reference.fields[name][0] if name in reference.fields else None


@lower_getattr_generic(Reference)
def _read_field(context: Any, builder: Any, reference: Any, table: Any, name: str) -> Any:
    """Code that reads one field, where it is used."""
    kind, start = reference.fields[name]
    at = iter(range(start, reference.stop))

    def load() -> Any:
        return builder.load(builder.gep(table, [context.get_constant(types.intp, next(at))]))

    return _value_from(context, builder, kind, load)


def unpacker(*prototypes: Any) -> Any:
    """A function of compiled code: these tuples of a table, in this order."""
    references: list[Reference] = []
    for prototype in prototypes:
        references.append(Reference(prototype, references[-1].stop if references else N_ENTRIES))
    kind = types.Tuple(references)

    @intrinsic
    def unpack(typing: Any, table: Any) -> Any:
        """The tuples of a table."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = arguments[0]
            if isinstance(signature.args[0], types.Array):
                pointer = context.make_array(signature.args[0])(context, builder, pointer).data
            return context.make_tuple(builder, kind, [pointer] * len(references))

        return kind(table), generate

    return unpack


unpack = unpacker(*PROTOTYPES)  # (system, ws)


@intrinsic
def vector(typing: Any, pointer: Any, n: Any) -> Any:
    """The n numbers at a pointer as an array."""
    kind = types.Array(types.float64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(kind)(context, builder)
        size = context.get_constant(types.intp, 8)
        populate_array(array, arguments[0], [arguments[1]], [size], itemsize=size, meminfo=None)
        return array._getvalue()

    return kind(pointer, n), generate


@intrinsic
def call(
    typing: Any, which: Any, table: Any, t: Any, y: Any, out: Any, more: Any, flag: Any
) -> Any:
    """Call entry number `which` of a table; pointers and contiguous arrays are both taken."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table = _pointer(context, builder, signature.args[1], arguments[1])
        address = builder.load(builder.gep(table, [arguments[0]]))
        return _called(context, builder, signature, arguments, address)

    return _taken(table, y, out, more), generate


@intrinsic
def call_at(
    typing: Any, address: Any, table: Any, t: Any, y: Any, out: Any, more: Any, flag: Any
) -> Any:
    """Call the entry at an address, as `call` does."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _called(context, builder, signature, arguments, arguments[0])

    return _taken(table, y, out, more), generate


def _taken(table: Any, *numbers: Any) -> Any:
    """What `call` and `call_at` take and return."""
    for given in (table, *numbers):
        if isinstance(given, types.Array) and given.layout != "C":
            raise TypingError("an entry takes numbers in a row")
    return types.int64(types.intp, table, types.float64, *numbers, types.int64)


def _pointer(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Code for the address of the first number of an array; a pointer stays as it is."""
    if isinstance(kind, types.Array):
        return context.make_array(kind)(context, builder, value).data
    return value


def _called(context: Any, builder: Any, signature: Any, arguments: Any, address: Any) -> Any:
    """Code that calls the entry at an address with all arguments behind the first."""
    i64, f64 = ir.IntType(64), ir.DoubleType()
    numbers = f64.as_pointer()
    function = ir.FunctionType(i64, [i64.as_pointer(), f64, numbers, numbers, numbers, i64])
    given = [_pointer(context, builder, *pair) for pair in zip(signature.args[1:], arguments[1:])]
    return builder.call(builder.inttoptr(address, function.as_pointer()), given)

"""The dtype and the device of a model's computation.

Example: without a GPU, `arithmetic("auto", "auto")` is bfloat16 on cpu if the processor has AMX, AVX512_BF16 or ARM's
BF16 instructions. Otherwise it is float32, as emulated bfloat16 would be slower and less exact.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from pfe.errors import UserError

AUTO = "auto"
DTYPES = ("float32", "bfloat16")
DEVICES = ("auto", "cpu", "cuda")
# The names of instructions that multiply bfloat16 numbers, in `torch.cpu.get_capabilities`.
_INSTRUCTIONS = ("amx_bf16", "avx512_bf16", "bf16", "sve_bf16")


@dataclass(frozen=True)
class Arithmetic:
    """A dtype and a device; `why` is the reason if "auto" chose the dtype, else ""."""

    dtype: str
    device: str
    why: str = ""

    @property
    def line(self) -> str:
        """The text that is printed: "computed in bfloat16 on cpu (auto: it multiplies bfloat16)"."""
        return f"computed in {self.dtype} on {self.device}{self.why and f' ({self.why})'}"


def arithmetic(dtype: str, device: str) -> Arithmetic:
    """Return the dtype and the device on this machine for a configuration's `dtype` and `device`.

    Raises:
        UserError: one is unknown, or the device is not available.
    """
    if dtype not in (AUTO, *DTYPES):
        raise UserError(f"dtype: {dtype} is none that models are loaded in; set one of {AUTO}, {', '.join(DTYPES)}")
    if device not in DEVICES:
        raise UserError(f"device: {device} is none that models are computed on; set one of {', '.join(DEVICES)}")
    if device == "cuda" and not torch.cuda.is_available():
        raise UserError("device: cuda, but PyTorch sees no such device here; set device: auto or cpu")
    place = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    native = torch.cuda.is_bf16_supported(False) if place == "cuda" else multiplies(torch.cpu.get_capabilities())
    return chosen(dtype, place, native)


def chosen(dtype: str, device: str, native: bool) -> Arithmetic:
    """Return the dtype for `dtype`, which may be "auto"; `native`: whether the device multiplies bfloat16 numbers."""
    if dtype != AUTO:
        return Arithmetic(dtype, device)
    if native:
        return Arithmetic("bfloat16", device, f"{AUTO}: it multiplies bfloat16")
    return Arithmetic("float32", device, f"{AUTO}: it does not multiply bfloat16")


def multiplies(capabilities: Mapping[str, object]) -> bool:
    """Return whether a processor with these capabilities multiplies bfloat16 numbers."""
    return any(capabilities.get(name) for name in _INSTRUCTIONS)

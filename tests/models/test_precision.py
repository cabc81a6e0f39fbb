"""`dtype: auto` is bfloat16 where numbers of that format are multiplied, and float32 elsewhere."""

from typing import Any

import pytest
import torch

from pfe.models.precision import arithmetic, chosen, multiplies

OLD = {"architecture": "x86_64", "avx2": True, "avx512_f": True, "avx512_bf16": False, "amx_bf16": False, "bf16": False}


@pytest.mark.parametrize(
    ("capabilities", "native"),
    [
        (OLD, False),
        ({"architecture": "x86_64", "sse4_2": True}, False),
        (OLD | {"avx512_bf16": True}, True),
        (OLD | {"amx_tile": True}, False),
        (OLD | {"amx_tile": True, "amx_bf16": True}, True),
        ({"architecture": "arm64", "neon": True, "fp16_arith": True}, False),
        ({"architecture": "arm64", "neon": True, "bf16": True}, True),
        ({"architecture": "arm64", "sve": True, "sve_bf16": True}, True),
        ({}, False),
    ],
)
def test_a_processor_multiplies_bfloat16_where_it_has_an_instruction_for_it(
    capabilities: dict[str, Any], native: bool
) -> None:
    assert multiplies(capabilities) is native


@pytest.mark.parametrize(
    ("dtype", "device", "native", "line"),
    [
        ("auto", "cpu", True, "computed in bfloat16 on cpu (auto: it multiplies bfloat16)"),
        ("auto", "cpu", False, "computed in float32 on cpu (auto: it does not multiply bfloat16)"),
        ("auto", "cuda", True, "computed in bfloat16 on cuda (auto: it multiplies bfloat16)"),
        ("auto", "cuda", False, "computed in float32 on cuda (auto: it does not multiply bfloat16)"),
        ("float32", "cuda", True, "computed in float32 on cuda"),
        ("bfloat16", "cpu", False, "computed in bfloat16 on cpu"),
    ],
)
def test_the_format_is_chosen_by_wish_and_device(dtype: str, device: str, native: bool, line: str) -> None:
    assert chosen(dtype, device, native).line == line


def test_this_machine_has_one_of_the_formats() -> None:
    here = arithmetic("auto", "cpu")
    assert (here.dtype == "bfloat16") == multiplies(torch.cpu.get_capabilities())
    assert "architecture" in torch.cpu.get_capabilities(), "what is asked for the instructions is there"

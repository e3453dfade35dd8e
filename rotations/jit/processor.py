"""Choose which processor kernels are compiled for: one level, the same on every machine.

Left alone, numba uses every instruction that this machine has. Sums then round differently on
different machines, and machine code made on one may not run on another. The level x86-64-v3 (AVX2 and
fused multiply-add) is what desktop processors have had since about 2015; wider registers
gain our kernels nothing in the plane and a few per cent in space.
"""

import os
from collections.abc import Mapping
from typing import Any

import numba
from llvmlite import binding

NAME, FEATURES = "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"  # as in the environment
LEVEL = "x86-64-v3"
LEVEL_FEATURES = (
    *("sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cx16", "avx", "avx2", "fma"),
    *("bmi", "bmi2", "f16c", "lzcnt", "movbe"),
)


def settings(has: Mapping[str, bool], environment: Mapping[str, str]) -> dict[str, str]:
    """The settings of numba that ask for the level, on a processor that has these features.

    None for an older processor or another architecture, for which numba chooses, and where the user has
    chosen a processor.
    """
    is_chosen = NAME in environment or FEATURES in environment
    if is_chosen or not all(has.get(feature, False) for feature in LEVEL_FEATURES):
        return {}
    # without the features by name numba adds all others of this machine
    return {NAME: LEVEL, FEATURES: ",".join(f"+{feature}" for feature in LEVEL_FEATURES)}


def choose() -> None:
    """Compile for the level from now on, here and in child processes; changes numba's settings.

    It must be called before the first kernel: numba sets up its compiler only once.
    """
    config: Any = numba.config
    for name, value in settings(_host_features(), os.environ).items():
        os.environ[name] = value  # numba reads it again when other settings change
        setattr(config, name.removeprefix("NUMBA_"), value)


def chosen() -> str:
    """The processor that kernels are compiled for, with its features where they were chosen."""
    config: Any = numba.config
    return f"{chosen_name()} {config.CPU_FEATURES or ''}"


def chosen_name() -> str:
    """The name of that processor."""
    config: Any = numba.config
    return str(config.CPU_NAME or binding.get_host_cpu_name())


def _host_features() -> Mapping[str, bool]:
    """The features of this processor; empty where they are unknown."""
    try:
        return binding.get_host_cpu_features()
    except RuntimeError:
        return {}

"""Strangers' programs, run confined and judged from outside: `programs.run_tests`, `programs.evaluate`."""

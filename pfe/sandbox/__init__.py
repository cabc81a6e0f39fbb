"""A sandbox for untrusted programs, which are judged from outside: `programs.run_tests`, `programs.evaluate`."""

"""Child processes that can be killed with all their descendants, and a reliable report of how they ended.

Example: `Pool(2, ["sympy"])` has two guards. These processes have imported sympy, fork a child for every task, and kill
it when it is done, out of time or no longer needed. `pfe.sandbox` puts a guard of its own around each program.

pebble ends a single process at a time-out, but not its descendants; loky ends none. Neither limits CPU time.
"""

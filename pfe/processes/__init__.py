"""Children that can be killed, with all that they start, and whose end is known whatever they do.

Example: `Pool(2, ["sympy"])` has two guards, processes that have imported sympy, fork a child for every task and end it
when it is done, out of time or wanted no more; `pfe.sandbox` puts a guard of its own around each program.

pebble and loky end one process by the clock (loky none), not those that it started; neither limits processor time.
"""

"""Exports of PFE's benchmarks and answers to other tools: one module per tool, pure except for the tool's own logger.

Example: `pfe export lm-eval sample --out tasks` writes tasks for `lm_eval --include_path tasks --tasks pfe_icr`.
"""

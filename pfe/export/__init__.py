"""Our benchmarks and answers as other people's tools take them: one module a tool, pure but for the tool's own logger.

Example: `pfe export lm-eval sample --out tasks` writes what `lm_eval --include_path tasks --tasks pfe_icr` reads.
"""

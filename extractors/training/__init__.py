"""The recipe of the shipped language model: data in, weights out.

    python -m extractors.training --shared DIR --out DIR

The README beside this file lists data, seeds, versions and times.
"""

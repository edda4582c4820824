"""The errors of this package, each one line with its remedy.

ExportError (Exception)
├── OptionError (also ValueError)  a base IRI, level or option is not what it may be
├── OrderError (also ValueError)   a view's records are not sorted as they have to be
├── MissingExtraError (also ImportError)  a library that is not part of every installation
├── AddressError (also OSError)    a server cannot listen at a host or port
└── StoreError (also OSError)      a triple store cannot be reached, refuses or breaks off
"""

from __future__ import annotations


class ExportError(Exception):
    """Base of all errors that this package raises."""


class OptionError(ExportError, ValueError):
    """An option has a value that it may not have; the message lists those that it may."""


class OrderError(ExportError, ValueError):
    """Records come out of order, or name a paper that is not there."""


class MissingExtraError(ExportError, ImportError):
    """A library is missing; the message says how to install it."""


class StoreError(ExportError, OSError):
    """A triple store cannot be reached, refuses or breaks off; the message says what it has."""


class AddressError(ExportError, OSError):
    """A server cannot listen at a host or port; the message says what else to try."""

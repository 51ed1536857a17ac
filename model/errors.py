"""Our exceptions: a broken world. An employee's slip is a `Problem` (model/outcome.py), never an exception.

LeaveBotError
├── ConfigError            a setting, file or port is wrong: one line naming place and remedy, exit code 2
├── StoreError             a data file cannot be used now (locked too long, disk full, read-only); nothing was written
├── EipError               the company's EIP did not do what was asked
│   ├── EipRefused         it answered no; `text` is shown to the employee as it came
│   ├── EipUnreachable     certainly not delivered (connection refused, name unknown)
│   └── EipDoubt           maybe delivered (timeout, cut or senseless answer): look before sending again
├── NoSuchCase             no such case for HR, or somebody else's
├── IllegalMove            a case cannot go from its state to that one
└── ModelError             no usable answer from the language model
    └── ModelUnavailable   not reachable, model missing, breaker open, or out of time
        └── ModelBusy      well, but not for this call: too many at once, this turn's calls used up, or nobody waits for it
"""


class LeaveBotError(Exception):
    """Root of all our exceptions."""


class ConfigError(LeaveBotError):
    """A setting, file or port is wrong. The text names the place and what to do."""


class StoreError(LeaveBotError):
    """A data file cannot be used now. The transaction was rolled back: nothing of it was written."""


class EipError(LeaveBotError):
    """The EIP did not do what was asked."""


class EipRefused(EipError):
    """The EIP answered no.

    Attributes:
        text: the EIP's own words, shown to the employee unchanged after 「WF訊息：」.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class EipUnreachable(EipError):
    """The request certainly never arrived."""


class EipDoubt(EipError):
    """The request may have arrived; only `find` can tell."""


class NoSuchCase(LeaveBotError):
    """HR has no case with that number, or it is somebody else's."""


class IllegalMove(LeaveBotError):
    """A case cannot go from its state to that one; nothing was changed."""


class ModelError(LeaveBotError):
    """No usable answer from the language model."""


class ModelUnavailable(ModelError):
    """The model cannot be asked now."""


class ModelBusy(ModelUnavailable):
    """The model is well but does not take this call."""

"""What surrounds an employee's leaves: the working days, her own leaves, and when her substitutes are away."""

from dataclasses import dataclass
from datetime import datetime

from model.company import Absence, Employee, Leave
from model.worktime import WorkCalendar


@dataclass(frozen=True)
class Overview:
    """An employee's own facts as of `now`; leaves by start, cancelled ones too.

    Attributes:
        absences: free or busy only, of her own substitutes only; empty when [page] show_absences is off.
    """

    employee: Employee
    calendar: WorkCalendar
    now: datetime
    leaves: tuple[Leave, ...] = ()
    absences: tuple[Absence, ...] = ()

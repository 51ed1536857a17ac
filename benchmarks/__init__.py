"""What things cost: measured, compared, never asserted in absolute time."""

"""The databases behind everything that is kept: SQLite files, or one PostgreSQL for all replicas."""

"""What we do with it. Importing does nothing; `app.build` puts the parts together."""

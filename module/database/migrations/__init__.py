"""The steps that the tables took, one file each under `versions`; a new one is added, an old one never changed."""

"""Everything that leaves the window as a file: tables, pictures, films and reports."""

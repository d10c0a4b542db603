"""The files for readers: the HTML report and the zip."""

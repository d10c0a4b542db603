"""What a reader takes away: the HTML report and the zip."""

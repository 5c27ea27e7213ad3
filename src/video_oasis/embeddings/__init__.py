"""Pictures and texts as vectors of one space, kept so that each is embedded once."""

"""Pictures as SVG text that stands inside a page and takes its colours from the page's style."""

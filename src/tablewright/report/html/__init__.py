"""The design document as one HTML page without network: what is in the Markdown, with pictures and sliders."""

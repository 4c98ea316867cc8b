"""A choice of keys written out as a design: names, item types, requests and writes."""

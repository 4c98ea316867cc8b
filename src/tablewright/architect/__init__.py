"""From access patterns to a design: read a spec, enumerate ways to serve it, let an exact solver choose, say why."""

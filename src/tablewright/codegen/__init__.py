"""From a design to what a team deploys and calls: infrastructure, code, documents; all from `Design` alone."""

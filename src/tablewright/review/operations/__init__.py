"""How to run a design: requests that page and retry, alarms, load tests, and what would make the bill smaller."""

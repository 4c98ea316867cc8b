"""Seeing what operations do: observers, logging, explanations, OpenTelemetry. Who does not look pays nothing."""

"""The shape of requests: every parameter checked as the service's front door does, before anything is looked up."""

from tablewright.engine.requests.check import check_request

__all__ = ["check_request"]

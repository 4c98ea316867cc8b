"""The engine on a port, in DynamoDB's JSON protocol: any AWS SDK can use it unchanged."""

from tablewright.engine.server.connection import Limits
from tablewright.engine.server.databases import Separate, Shared
from tablewright.engine.server.run import Server, serve, serve_forever

__all__ = ["Limits", "Separate", "Server", "Shared", "serve", "serve_forever"]

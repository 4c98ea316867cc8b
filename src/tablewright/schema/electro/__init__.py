"""ElectroDB's own schema form, read and written.

`shape` refuses what is no schema at all (error 1009), `read` builds the model, `write` goes back. Everything else
that can be wrong with a schema is the business of `tablewright.schema.check`, whatever form it was written in.
"""

from tablewright.schema.electro.read import custom_attribute_type, load_entity, load_service
from tablewright.schema.electro.write import dump_entity, dump_service

__all__ = ["custom_attribute_type", "dump_entity", "dump_service", "load_entity", "load_service"]

"""Items in and out of files: DynamoDB JSON lines, the folders of exports to S3, and CSV."""

from tablewright.engine.transfer.columns import Columns
from tablewright.engine.transfer.dump import dump_lines, replace_file
from tablewright.engine.transfer.lines import Lines
from tablewright.engine.transfer.load import Loaded, load
from tablewright.engine.transfer.records import Progress, Source, TransferError, no_progress
from tablewright.engine.transfer.s3_export import Export, dump_export

__all__ = [
    "Columns",
    "Export",
    "Lines",
    "Loaded",
    "Progress",
    "Source",
    "TransferError",
    "replace_file",
    "dump_export",
    "dump_lines",
    "load",
    "no_progress",
]

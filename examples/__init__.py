"""Programs to run and to read: `python -m examples.task_management`, from the folder above this one."""

"""The window: draws frames and reports events. Qt lives here and nowhere else."""

import os

# pyqtgraph takes PyQt where it finds one; it has to be the binding that the rest of the program speaks.
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

"""Which item draws which mark."""

from __future__ import annotations

from core.stage import frame
from gui.view.cards import CardsItem
from gui.view.dials import DialsItem
from gui.view.handle import HandleItem
from gui.view.item import MarkItem
from gui.view.lines import CurveItem, RegionItem, VectorsItem
from gui.view.matrix import MatrixItem
from gui.view.points import BarsItem, PointsItem
from gui.view.texts import CodeItem, FormulaItem, LabelItem, TableItem

ITEMS: dict[type, type[MarkItem]] = {
    frame.Curve: CurveItem,
    frame.Points: PointsItem,
    frame.Vectors: VectorsItem,
    frame.Matrix: MatrixItem,
    frame.Cards: CardsItem,
    frame.Dials: DialsItem,
    frame.Bars: BarsItem,
    frame.Region: RegionItem,
    frame.Label: LabelItem,
    frame.Handle: HandleItem,
    frame.Formula: FormulaItem,
    frame.Table: TableItem,
    frame.Code: CodeItem,
}

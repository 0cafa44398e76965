"""Reads workbooks with a Python library: one path per input line, one JSON result per output line.

python readers.py openpyxl|calamine|xlrd <most sheets> <most rows> <most columns> <longest result, in characters>
"""

import datetime
import json
import math
import resource
import sys
import warnings

warnings.simplefilter("ignore")
SHEETS, ROWS, COLUMNS, LONGEST_RESULT = map(int, sys.argv[2:])
# A sheet with cells in its first and last rows can exhaust the machine's memory.
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def value_of(value):
    """A value in the common representation of all readers, or None."""
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return ["boolean", value]
    if isinstance(value, (int, float)):
        return ["number", value] if math.isfinite(value) else ["error", "#NUM!"]
    if isinstance(value, datetime.datetime):
        return ["date", iso(value.date().isoformat(), value.time())]
    if isinstance(value, datetime.date):
        return ["date", value.isoformat()]
    if isinstance(value, datetime.time):
        return ["date", iso("", value)]
    if isinstance(value, datetime.timedelta):
        return ["duration", value.total_seconds()]
    return ["text", str(value)]


def iso(date, time):
    """Date and time in milliseconds; omits midnight after a date."""
    ms = round(time.microsecond / 1000)
    if ms == 1000:
        time = (datetime.datetime.combine(datetime.date(2000, 1, 1), time) + datetime.timedelta(milliseconds=1)).time()
        ms = 0
    text = time.strftime("%H:%M:%S") + (f".{ms:03}" if ms else "")
    if date and text == "00:00:00":
        return date
    return f"{date}T{text}" if date else text


def by_openpyxl(path):
    import openpyxl

    book = openpyxl.load_workbook(path, data_only=True)
    sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"][:SHEETS]
    for sheet in sheets:
        cells = []
        for (row, column), cell in sorted(sheet._cells.items()):
            if row > ROWS or column > COLUMNS:
                continue
            found = ["error", str(cell.value)] if cell.data_type == "e" else value_of(cell.value)
            if found:
                cells.append([row - 1, column - 1, *found])
        yield sheet.title, cells


def by_calamine(path):
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    book = CalamineWorkbook.from_path(path)
    named = [sheet for sheet in book.sheets_metadata if sheet.visible == SheetVisibleEnum.Visible]
    named = [sheet.name for sheet in named if sheet.typ == SheetTypeEnum.WorkSheet]
    for name in named[:SHEETS]:
        sheet = book.get_sheet_by_name(name)
        cells = []
        start = sheet.start or (0, 0)
        for at, row in enumerate(sheet.to_python(skip_empty_area=True)):
            if start[0] + at >= ROWS:
                break
            for column, value in enumerate(row):
                found = value_of(value)
                if found and start[1] + column < COLUMNS:
                    cells.append([start[0] + at, start[1] + column, *found])
        yield name, cells


def by_xlrd(path):
    import xlrd

    book = xlrd.open_workbook(path, formatting_info=False, logfile=sys.stderr)
    for sheet in [sheet for sheet in book.sheets() if sheet.visibility == 0][:SHEETS]:
        cells = []
        for row in range(min(sheet.nrows, ROWS)):
            for column in range(min(sheet.row_len(row), COLUMNS)):
                found = xlrd_value(sheet.cell(row, column), book.datemode, xlrd)
                if found:
                    cells.append([row, column, *found])
        yield sheet.name, cells


def xlrd_value(cell, datemode, xlrd):
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return ["boolean", bool(cell.value)]
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return ["error", xlrd.error_text_from_code.get(cell.value, "#?")]
    if cell.ctype == xlrd.XL_CELL_DATE:
        try:
            date = xlrd.xldate_as_datetime(cell.value, datemode)
        except Exception:
            return ["number", cell.value]
        return value_of(date.time() if cell.value < 1 and datemode == 0 else date)
    return value_of(cell.value)


READERS = {"openpyxl": by_openpyxl, "calamine": by_calamine, "xlrd": by_xlrd}


def read_workbook(path):
    try:
        return {"sheets": [{"name": name, "cells": cells} for name, cells in READERS[sys.argv[1]](path)]}
    except BaseException as error:  # panics of compiled code are not Exceptions
        if isinstance(error, KeyboardInterrupt):
            raise
        return {"fault": f"{type(error).__name__}: {error}"[:200]}


for line in sys.stdin:
    text = json.dumps(read_workbook(line.rstrip("\n")))
    print(text if len(text) < LONGEST_RESULT else '{"fault": "too much to compare"}', flush=True)

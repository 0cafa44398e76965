"""Fills in a template: python fill_openpyxl.py <template> <filling, as JSON> <target>."""

import datetime
import json
import sys

import openpyxl

template, filling, target = sys.argv[1:]
book = openpyxl.load_workbook(template)
sheet = book.worksheets[0]
with open(filling, encoding="utf-8") as file:
    for cell in json.load(file):
        value = cell["value"]
        if cell["kind"] == "date":
            value = datetime.date.fromisoformat(value)
        sheet.cell(row=cell["row"] + 1, column=cell["column"] + 1).value = value
book.save(target)

"""Fills in a template in a LibreOffice that listens on a pipe, saves it in the target's format, and quits LibreOffice.

python fill_libreoffice.py <pipe> <template> <filling, as JSON> <target>
"""

import datetime
import json
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

FILTERS = {
    "xlsx": "Calc MS Excel 2007 XML",
    "xls": "MS Excel 97",
    "ods": "calc8",
    "csv": "Text - txt - csv (StarCalc)",
}


def desktop_at(pipe):
    """The running instance, which may still be starting."""
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    for left in range(120, 0, -1):
        try:
            context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            return context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        except NoConnectException:
            if left == 1:
                raise
            time.sleep(0.5)


def option(name, value):
    return PropertyValue(Name=name, Value=value)


pipe, template, filling, target = sys.argv[1:]
desktop = desktop_at(pipe)
try:
    book = desktop.loadComponentFromURL(uno.systemPathToFileUrl(template), "_blank", 0, (option("Hidden", True),))
    sheet = book.Sheets.getByIndex(0)
    epoch = datetime.date(1899, 12, 30)
    with open(filling, encoding="utf-8") as file:
        for filled in json.load(file):
            cell = sheet.getCellByPosition(filled["column"], filled["row"])
            if filled["kind"] == "date":
                cell.Value = (datetime.date.fromisoformat(filled["value"]) - epoch).days
            elif filled["kind"] == "number":
                cell.Value = filled["value"]
            else:
                cell.String = filled["value"]
    ending = target.rsplit(".", 1)[1]
    options = [option("FilterName", FILTERS[ending])]
    if ending == "csv":
        # Semicolons, quotes, UTF-8, from the first line, formatted cell content.
        options.append(option("FilterOptions", "59,34,76,1,,0,false,true,false"))
    book.storeToURL(uno.systemPathToFileUrl(target), tuple(options))
    book.close(True)
finally:
    try:
        desktop.terminate()
    except Exception:  # the program may end before it responds
        pass

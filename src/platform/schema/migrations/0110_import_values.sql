-- What stands in the cell that a fault of an imported file is about, shortened; null where there is no cell or nothing in it,
-- and for faults from before there were such values. It goes with its import.
alter table import_errors add column value text;

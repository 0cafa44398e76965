-- Workbooks of more kinds are imported.

alter table imports
  drop constraint imports_format_check,
  add constraint imports_format_check check (format in ('xlsx', 'xls', 'xlsb', 'ods', 'csv'));

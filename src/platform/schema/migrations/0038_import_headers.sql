-- How the table of an import was understood: where its headers stand, how its dates are written, and what somebody should
-- look at.
alter table imports
  -- How dates that are text are written, where the caller said so.
  add column date_order text check (date_order in ('dmy', 'mdy', 'ymd')),
  -- As a spreadsheet counts; null until the file has been read, and when it has no headers.
  add column header_row integer,
  -- [{code, message, column}]; empty until the file has been read.
  add column warnings jsonb not null default '[]';

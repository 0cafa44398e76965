-- Whom a row of a file is about is found by an id as well, not only by the address.

-- How the caller wants them to be found; null for the first of the ways that a row allows.
alter table imports add column match_by text check (match_by in ('id', 'external_id', 'employee_number', 'email'));

-- Whom a dry run met, by what. Of an address in lower case, of anything else as it is written.
alter table import_matches rename column email to value;
alter table import_matches
  add column field text not null default 'email' check (field in ('id', 'external_id', 'employee_number', 'email')),
  drop constraint import_matches_pkey,
  add primary key (company_id, import_id, field, value);

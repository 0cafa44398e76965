-- Whom a row of a file is about is found by an id as well, not only by the address.

-- How the caller wants them to be found; null for the first of the ways that a row allows.
alter table imports add column match_by text;
alter table imports add constraint imports_match_by_check
  check (match_by in ('id', 'external_id', 'employee_number', 'email'));

-- Whom a dry run met, by what. Of an address in lower case, of anything else as it is written.
alter table import_matches rename column email to value;
alter table import_matches add column field text not null default 'email';
alter table import_matches add constraint import_matches_field_check
  check (field in ('id', 'external_id', 'employee_number', 'email'));
alter table import_matches drop constraint import_matches_pkey;
alter table import_matches add constraint import_matches_pkey primary key (company_id, import_id, field, value);

-- Imports with their errors, and exports. Files are objects in the storage, as documents are: written before the row names
-- them, removed once none does.

create table imports (
  company_id uuid not null references companies (id),
  id uuid not null,
  filename text not null,
  -- Told from the content.
  format text not null check (format in ('xlsx', 'csv')),
  size integer not null check (size > 0),
  sha256 bytea not null,
  -- The uploaded file; null once nothing needs it any more.
  key text,
  mode text not null check (mode in ('create', 'upsert')),
  on_error text not null check (on_error in ('continue', 'abort')),
  empty_cells text not null check (empty_cells in ('keep', 'clear')),
  send_invitations boolean not null,
  dry_run boolean not null,
  -- Which sheet to read, and which field a header means, where the caller said so.
  sheet text,
  mapping jsonb not null default '{}',
  -- Of the token that sent it or committed it: which fields it may write.
  may_write_salary boolean not null,
  -- As found in the file: [{column, header, field}]; empty until it has been read.
  columns jsonb not null default '[]',
  has_salaries boolean not null default false,
  status text not null default 'queued'
    check (status in ('queued', 'validating', 'processing', 'completed', 'completed_with_errors', 'failed', 'cancelled')),
  -- Null until the file has been read.
  rows_total integer,
  rows_checked integer not null default 0,
  -- How far the rows are written, in their order of writing: managers before those who report to them. A batch moves it on
  -- in its own transaction, from the value it began with: so no row is lost or written twice, whoever takes over after a
  -- crash.
  position integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  unchanged_count integer not null default 0,
  skipped_count integer not null default 0,
  failed_count integer not null default 0,
  error_count integer not null default 0,
  failure_reason text,
  failure_message text,
  -- The file with its errors, to be mended.
  report_key text,
  -- Until when a worker holds it: whoever comes later takes it over. Null when it has ended.
  due_at timestamptz(3),
  -- How often a worker began since it last got on: after some times it has failed.
  attempts smallint not null default 0,
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  committed_by uuid,
  committed_at timestamptz(3),
  completed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (company_id, id),
  check ((failure_reason is not null) = (status = 'failed')),
  check ((due_at is null) = (status in ('completed', 'completed_with_errors', 'failed', 'cancelled')))
) with (fillfactor = 50);
create index imports_newest on imports (company_id, created_at desc, id desc);
create index imports_by_status on imports (company_id, status, created_at desc, id desc);
-- Those that have not ended: they have their turns by age, one at a time within a company.
create index imports_open on imports (company_id, created_at, id) where due_at is not null;
-- Across companies, for what a crash left behind.
create index imports_due on imports (due_at) where due_at is not null;
create index imports_age on imports (company_id, expires_at);
-- Which objects are named: asked by the sweep.
create unique index imports_key on imports (company_id, key) where key is not null;
create unique index imports_report_key on imports (company_id, report_key) where report_key is not null;

-- Every fault of a file. A row of the file that is named here is not written.
create table import_errors (
  company_id uuid not null references companies (id),
  import_id uuid not null,
  -- As a spreadsheet counts; the headers are row 1.
  row_number integer not null,
  -- The place among the faults of its row.
  number smallint not null,
  column_letter text,
  field text,
  code text not null,
  message text not null,
  primary key (company_id, import_id, row_number, number)
);

-- Whom a dry run met: what it says holds as long as these people are as they were.
create table import_matches (
  company_id uuid not null references companies (id),
  import_id uuid not null,
  -- In lower case; of a person of the file, or of a manager.
  email text not null,
  -- Null where nobody had the address.
  collaborator_id uuid,
  revision integer,
  primary key (company_id, import_id, email)
);

create table exports (
  company_id uuid not null references companies (id),
  id uuid not null,
  kind text not null check (kind in ('individual', 'list', 'group')),
  format text not null check (format in ('xlsx', 'csv', 'json')),
  -- What it shows: {collaborator_id} or {filters, sort} or {filters, group_by}.
  query jsonb not null,
  -- The scopes of the token it was made for that decide what is in it. Who fetches it needs them too.
  scopes text[] not null,
  -- The role it was made for. Who has a lesser one by now does not fetch it.
  role text not null check (role in ('admin', 'manager', 'employee')),
  -- What was left out, because the caller may not read it.
  omitted text[] not null default '{}',
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed')),
  filename text not null,
  -- Chosen at the beginning, so that there can be a link before there is an object.
  key text not null,
  rows_total integer,
  rows_done integer not null default 0,
  row_count integer,
  size bigint,
  failure_message text,
  -- How often a worker began: after some times it has failed.
  attempts smallint not null default 0,
  due_at timestamptz(3),
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  primary key (company_id, id),
  check ((due_at is null) = (status in ('completed', 'failed')))
) with (fillfactor = 50);
create unique index exports_key on exports (company_id, key);
create index exports_due on exports (due_at) where due_at is not null;
create index exports_age on exports (company_id, expires_at);

alter table import_errors
  add constraint import_errors_import_fkey foreign key (company_id, import_id)
  references imports (company_id, id) on delete cascade;
alter table import_matches
  add constraint import_matches_import_fkey foreign key (company_id, import_id)
  references imports (company_id, id) on delete cascade;

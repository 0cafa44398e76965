-- Sorting, searching and counting at any size; notification preferences; idempotency keys; rate limits.

-- Sorted as people expect, without regard to case and accents, in an order that does not depend on the database's
-- locale.
create index collaborators_by_name on collaborators (company_id, (left(search_form(name), 200) collate "C"), id) where deleted_at is null;
create index collaborators_by_email on collaborators (company_id, (left(search_form(email), 200) collate "C"), id) where deleted_at is null;
create index collaborators_by_department on collaborators (company_id, (left(search_form(department), 200) collate "C"), id) where deleted_at is null;
create index collaborators_by_position on collaborators (company_id, (left(search_form(position), 200) collate "C"), id) where deleted_at is null;
create index collaborators_by_status on collaborators (company_id, status, id) where deleted_at is null;
-- Nobody was hired at infinity: unset dates come last, first in descending order.
create index collaborators_by_hire_date on collaborators
  (company_id, coalesce(hire_date, 'infinity'::date), id) where deleted_at is null;
-- Deleted ones too: these two serve the delta sync.
create index collaborators_by_created_at on collaborators (company_id, created_at, id);
create index collaborators_by_updated_at on collaborators (company_id, updated_at, id);
drop index collaborators_created;

-- A search looks into one company only, so the company is part of the trigram index.
create extension if not exists btree_gin;
drop index collaborators_search;
create index collaborators_search on collaborators
  using gin (company_id, search_text gin_trgm_ops) where deleted_at is null;

-- Exact filters, each ready in the default order.
create index collaborators_filter_department on collaborators
  (company_id, lower(department), created_at, id) where deleted_at is null;
create index collaborators_filter_location on collaborators
  (company_id, lower(location), created_at, id) where deleted_at is null;
create index collaborators_filter_status on collaborators (company_id, status, created_at, id) where deleted_at is null;
create index collaborators_filter_role on collaborators (company_id, role, created_at, id) where deleted_at is null;
create index collaborators_filter_manager on collaborators
  (company_id, manager_id, created_at, id) where deleted_at is null;

-- How many collaborators a company has, kept up to date by each transaction that changes the number. A company's count
-- is the sum of its slots: writers take different slots, so that they do not wait for each other. `changes` counts every
-- write; as long as the sum of it stands still, nothing in the company has changed.
create table collaborator_counts (
  company_id uuid not null references companies (id),
  slot smallint not null,
  active integer not null default 0,
  inactive integer not null default 0,
  pending integer not null default 0,
  changes bigint not null default 0,
  primary key (company_id, slot)
);
insert into collaborator_counts (company_id, slot, active, inactive, pending)
  select company_id, 0, count(*) filter (where status = 'active'), count(*) filter (where status = 'inactive'),
    count(*) filter (where status = 'pending')
  from collaborators where deleted_at is null group by company_id;

-- The time of writing, not of the transaction's start: entries of two transactions that wait for each other keep their
-- order.
alter table collaborator_history alter column timestamp set default clock_timestamp();
alter table events alter column created_at set default clock_timestamp();

create table notification_preferences (
  company_id uuid not null references companies (id),
  collaborator_id uuid not null,
  -- What was set, without the defaults.
  preferences jsonb not null,
  updated_at timestamptz(3) not null default now(),
  primary key (company_id, collaborator_id)
);

-- What was answered to a request with an Idempotency-Key, for 24 hours. The key's hash covers client, method and path.
create table idempotency_keys (
  company_id uuid not null references companies (id),
  key_hash bytea not null,
  request_hash bytea not null,
  status smallint not null,
  headers jsonb not null,
  body jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (company_id, key_hash)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Requests of one minute, summed over all processes. Worth nothing after a crash. Room in each page, because a row is
-- written several times a second while its client is busy.
create unlogged table rate_limit_windows (
  -- The window, counted in minutes since 1970.
  minute integer not null,
  key text not null,
  points integer not null,
  changed_at timestamptz not null,
  primary key (minute, key)
) with (fillfactor = 50);

alter table notification_preferences
  add constraint notification_preferences_collaborator_fkey foreign key (company_id, collaborator_id)
  references collaborators (company_id, id);

-- The first schema: global tables, tenant tables, and the keys between them.
--
-- A tenant table has company_id first in its primary key, in every unique index and in every foreign key, so that
-- the schema can be distributed by company. There are no triggers on tenant tables for the same reason, and foreign
-- keys between tenant tables stand in statements of their own at the end, so that distribution can happen before.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

-- unaccent() is only "stable" because its dictionary could be replaced; an index needs an immutable form.
-- Decomposing first folds precomposed letters and letters followed by combining marks into the same text.
create function search_form(value text) returns text
  language sql immutable parallel safe strict
  return lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, nfkc)));

---------------------------------------------------------------------------------------------------- global tables

create table companies (
  id uuid primary key,
  name text not null,
  created_at timestamptz(3) not null default now()
);

-- A person who can sign in. One user may belong to several companies.
create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index users_email_key on users (lower(email));

-- Which companies know a user, and as which collaborator. Role and status stay with the collaborator alone.
create table memberships (
  user_id uuid not null references users (id),
  company_id uuid not null references companies (id),
  collaborator_id uuid not null,
  primary key (user_id, company_id)
);

-- Private keys are encrypted with a key from the configuration; public keys are published at /oauth/jwks.
create table signing_keys (
  id text primary key,
  algorithm text not null,
  public_jwk jsonb not null,
  private_jwk_encrypted bytea not null,
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3)
);

create table oauth_clients (
  id text primary key,
  name text not null,
  -- SHA-256 of the secret (which has 256 random bits); null for public clients.
  secret_hash bytea,
  redirect_uris text[] not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3)
);

-- What a user granted a client: the scopes live in the grant artifact, the ticked companies and the end here.
create table oauth_grants (
  id text primary key,
  user_id uuid not null references users (id),
  client_id text not null references oauth_clients (id),
  company_ids uuid[] not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3)
);
create index oauth_grants_user on oauth_grants (user_id);

-- Sessions, interactions, codes, refresh tokens: looked up by the hash of a secret, encrypted at rest.
create table oauth_artifacts (
  kind text not null,
  id_hash bytea not null,
  payload_encrypted bytea not null,
  uid_hash bytea,
  grant_id text,
  consumed_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (kind, id_hash)
);
create index oauth_artifacts_uid on oauth_artifacts (kind, uid_hash) where uid_hash is not null;
create index oauth_artifacts_grant on oauth_artifacts (grant_id) where grant_id is not null;
create index oauth_artifacts_expiry on oauth_artifacts (expires_at);

---------------------------------------------------------------------------------------------------- tenant tables

create table collaborators (
  company_id uuid not null references companies (id),
  id uuid not null,
  user_id uuid,
  name text not null,
  email text not null,
  phone text,
  position text not null,
  department text not null,
  status text not null default 'pending' check (status in ('active', 'inactive', 'pending')),
  role text not null default 'employee' check (role in ('admin', 'manager', 'employee')),
  hire_date date,
  salary numeric(11, 2) check (salary >= 0),
  manager_id uuid,
  work_schedule text,
  location text,
  avatar_key text,
  emergency_contact jsonb,
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  search_text text generated always as (search_form(name || chr(10) || email || chr(10) || position)) stored,
  primary key (company_id, id)
);
create unique index collaborators_email_key on collaborators (company_id, lower(email)) where deleted_at is null;
create unique index collaborators_user_key on collaborators (company_id, user_id) where deleted_at is null;
create index collaborators_manager on collaborators (company_id, manager_id);
create index collaborators_created on collaborators (company_id, created_at, id) where deleted_at is null;
create index collaborators_search on collaborators using gin (search_text gin_trgm_ops) where deleted_at is null;

-- Append-only. `changes` is [{field, from, to}].
create table collaborator_history (
  company_id uuid not null references companies (id),
  id uuid not null,
  collaborator_id uuid not null,
  action text not null,
  description text not null,
  changes jsonb not null default '[]',
  user_id uuid,
  timestamp timestamptz(3) not null default now(),
  primary key (company_id, id)
);
create index collaborator_history_newest on collaborator_history (company_id, collaborator_id, timestamp desc, id desc);

-- What happened, with the payload frozen at that moment: delivery never needs to know the feature again.
create table events (
  company_id uuid not null references companies (id),
  id uuid not null,
  name text not null,
  event_type text not null,
  payload jsonb,
  created_at timestamptz(3) not null default now(),
  primary key (company_id, id)
);
create index events_newest on events (company_id, created_at desc, id desc);

------------------------------------------------------------------------------------ keys between tenant tables

alter table collaborators
  add constraint collaborators_manager_fkey foreign key (company_id, manager_id)
  references collaborators (company_id, id);
alter table collaborator_history
  add constraint collaborator_history_collaborator_fkey foreign key (company_id, collaborator_id)
  references collaborators (company_id, id);

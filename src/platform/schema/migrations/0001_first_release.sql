-- The schema of 1.0.0. Migration refuses data of earlier, unpublished versions (migrate.ts). Each later change is a separate file.
--
-- In tenant tables, the primary key and all unique indexes and foreign keys start with company_id, so that the schema can be
-- distributed by company. For the same reason, they have no triggers.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

------------------------------------------------------------------------------------------------------- search functions

-- unaccent() is only "stable", because its dictionary could be replaced; an index needs an immutable function. Decomposes first, so
-- that precomposed letters and letters with combining marks become the same text.
create function search_form(value text) returns text
  language sql immutable parallel safe strict
  return lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, nfkc)));

-- Hashes of all substrings of this length. A hash collision only costs a check of a row that doesn't match. Searches look for parts
-- of names, addresses, and positions, each of which is one line, so no substring spans two lines.
create function search_pieces(company_id uuid, value text, size integer) returns bigint[]
  language sql immutable parallel safe strict
  return array(
    select hashtextextended(substr(value, n, size), uuid_hash_extended(company_id, size))
    from generate_series(1, length(value) - size + 1) n
    where position(chr(10) in substr(value, n, size)) = 0
  );

-- The search keys of a row: substrings of three characters, substrings of five (far more selective, so their posting lists stay
-- short in a large company), and the company alone. Each key includes the company; a trigram index with a separate company column
-- would intersect the lists of all companies. A loop takes a quarter of the time of a query.
create function search_keys(company_id uuid, value text) returns bigint[]
  language plpgsql immutable parallel safe strict as $$
declare
  keys bigint[] := '{}';
  lines constant text[] := string_to_array(value, chr(10));
  line text;
  size integer;
  seed bigint;
begin
  foreach size in array array[3, 5] loop
    seed := uuid_hash_extended(company_id, size);
    foreach line in array lines loop
      for n in 1 .. length(line) - size + 1 loop
        keys := keys || hashtextextended(substr(line, n, size), seed);
      end loop;
    end loop;
  end loop;
  return keys || uuid_hash_extended(company_id, 0);
end
$$;

-- The search keys that a row must have to match a term (in search_form). For a term without a long enough substring within a line,
-- only the company's key. Never empty, because the query uses the first key separately.
create function search_term_keys(company_id uuid, term text) returns bigint[]
  language sql immutable parallel safe strict
  return coalesce(
    nullif(
      case
        when length(term) >= 5 then search_pieces(company_id, term, 5)
        when length(term) >= 3 then search_pieces(company_id, term, 3)
      end,
      '{}'
    ),
    array[uuid_hash_extended(company_id, 0)]
  );

------------------------------------------------------------------------------------------------------------- companies

create table companies (
  id uuid primary key,
  name text not null,
  created_at timestamptz(3) not null default now(),
  -- Quotas of this company by name; missing ones come from the settings.
  quotas jsonb not null default '{}',
  -- Defines when its days begin.
  time_zone text not null default 'UTC',
  locale text,
  -- Sign-in policy; only explicitly set values.
  policy jsonb not null default '{}',
  -- Incremented by each change, for optimistic locking.
  revision integer not null default 1,
  -- Null until the first change.
  updated_at timestamptz(3)
);

------------------------------------------------------------------------------------------- users and their credentials

-- People who can sign in. One user may belong to several companies.
create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  -- When they proved that they receive mail at this address; null for accounts created by the operator.
  email_confirmed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Set for users who sign in with their company's identity provider: the only company they belong to. They have no password (no
  -- password matches their `password_hash`), and the company chooses their address, so it identifies nobody.
  only_company_id uuid
);
create unique index users_email_key on users (lower(email)) where only_company_id is null;
create index users_only_company on users (only_company_id) where only_company_id is not null;

-- The companies of a user, and their collaborator in each. Role and status are in collaborators only.
create table memberships (
  user_id uuid not null references users (id),
  company_id uuid not null references companies (id),
  collaborator_id uuid not null,
  primary key (user_id, company_id)
);
-- Finds the companies of users whose access ends.
create index memberships_company on memberships (company_id, collaborator_id);

-- Password reset links.
create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users (id),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  -- A keyed hash of the device or network. Requests by strangers don't use up the links of a device that has signed in before.
  requested_by bytea,
  known_device boolean not null default false
);
create index password_resets_user on password_resets (user_id, created_at);

-- Authenticator apps (RFC 6238).
create table totp_factors (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null,
  secret_encrypted bytea not null,
  -- Time step of the last accepted code; codes of this step or earlier are rejected.
  last_step bigint not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index totp_factors_user on totp_factors (user_id);

-- WebAuthn credentials. All stored data is public; the private key never leaves the device.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null,
  credential_id bytea not null,
  public_key bytea not null,
  -- The device's signature counter; 0 if it has none.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create unique index passkeys_credential_key on passkeys (credential_id);
create index passkeys_user on passkeys (user_id);

-- SHA-256 of the user and the code, which has 120 random bits.
create table recovery_codes (
  user_id uuid not null references users (id),
  code_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- Used passkey challenges, kept until they expire, so that none is used twice.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index used_challenges_expiry on used_challenges (expires_at);

-- Browsers that users sign in with.
create table user_devices (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- SHA-256 of its cookie.
  device_hash bytea not null,
  -- Display name, such as "Firefox, Windows"; null if neither the browser nor the system is known.
  words text,
  last_ip inet,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  -- When the user signed it out. From then on it counts as unknown, so its next sign-in is announced as one from a new device.
  signed_out_at timestamptz(3),
  -- SHA-256 of the connection and the provider's session (sid) of the latest sign-in, for logouts by the provider.
  provider_session_hash bytea
);
create unique index user_devices_key on user_devices (user_id, device_hash);
create index user_devices_seen on user_devices (last_seen_at);
create index user_devices_provider_session on user_devices (provider_session_hash) where provider_session_hash is not null;

-- Browser sessions, by the hash in `oauth_artifacts`.
create table user_sessions (
  uid_hash bytea primary key,
  user_id uuid not null references users (id),
  device_id uuid not null,
  created_at timestamptz(3) not null default now()
);
create index user_sessions_device on user_sessions (device_id);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_age on user_sessions (created_at);

----------------------------------------------------------------------------------------------------------------- OAuth

-- Private keys are encrypted with a key from the settings; public keys are published at /oauth/jwks.
create table signing_keys (
  id text primary key,
  algorithm text not null,
  public_jwk jsonb not null,
  private_jwk_encrypted bytea not null,
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3)
);

-- Clients created by the operator have no company; those registered by a company are apps.
create table oauth_clients (
  id text primary key,
  name text not null,
  -- SHA-256 of the secret (256 random bits); null for public clients.
  secret_hash bytea,
  redirect_uris text[] not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  company_id uuid,
  description text,
  logo_url text,
  website text,
  -- Scopes that it may request; null for all.
  scopes text[],
  visibility text not null default 'company' check (visibility in ('company', 'everyone')),
  -- When the operator approved it for other companies.
  approved_at timestamptz(3),
  -- Earlier secrets that may still be valid: [{"hash": base64url of the SHA-256, "expires_at": time}].
  earlier_secrets jsonb not null default '[]',
  -- Public keys (RFC 7517) that authenticate it instead of a secret; null for none.
  jwks jsonb,
  created_by uuid,
  updated_at timestamptz(3) not null default now()
);
create index oauth_clients_company on oauth_clients (company_id, created_at, id) where company_id is not null;

-- Directories: identity providers that provision people by SCIM. Found by the ID in a request's URL before its company is known, so
-- this isn't a tenant table. Only the SHA-256 of the token (256 random bits) is stored.
create table directories (
  id uuid primary key,
  company_id uuid not null,
  name text not null,
  token_hash bytea not null,
  token_created_at timestamptz(3) not null default now(),
  -- The previous token, valid for one more day.
  previous_token_hash bytea,
  previous_token_expires_at timestamptz(3),
  -- Time of the last reminder to admins that the token is old.
  token_age_told_at timestamptz(3),
  -- For metrics: the last successful request of the provider, and since when all have failed.
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  on_delete text not null check (on_delete in ('deactivate', 'delete')),
  on_create text not null check (on_create in ('pending', 'invite')),
  match_by text not null check (match_by in ('external_id', 'email')),
  -- Whether people and apps may change fields that the directory manages.
  on_local_change text not null check (on_local_change in ('refuse', 'allow')),
  -- Defaults for people without these attributes.
  default_department text not null,
  default_position text not null,
  -- Mapping of attributes to custom fields.
  field_mapping jsonb not null default '[]',
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index directories_company on directories (company_id, created_at, id);

-- Identity providers that people sign in with. Found by email domain, before the company is known.
create table sign_in_connections (
  id uuid primary key,
  company_id uuid not null,
  name text not null,
  kind text not null check (kind in ('oidc', 'saml')),
  -- For SAML, the entity ID.
  issuer text not null,
  client_id text,
  client_authentication text check (client_authentication in ('client_secret', 'private_key_jwt')),
  client_secret_encrypted bytea,
  -- For SAML: the single sign-on URL, the certificates that verify signatures, the metadata URL that both come from, and the
  -- attribute that identifies a person (null for a persistent NameID).
  sso_url text,
  certificates text[],
  metadata_url text,
  metadata_read_at timestamptz(3),
  subject_attribute text,
  -- For SAML: expiry of the last certificate that admins were warned about.
  certificate_warned_for timestamptz(3),
  status text not null default 'draft' check (status in ('draft', 'enabled')),
  sign_in text not null check (sign_in in ('any', 'connection', 'connection_only')),
  -- Overrides sign_in for single roles.
  sign_in_by_role jsonb not null default '{}',
  -- Whether to trust the provider's acr, amr, and auth_time.
  trusts_provider boolean not null,
  tested_at timestamptz(3),
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  check (
    case kind
      when 'oidc' then client_id is not null and client_authentication is not null
        and (client_authentication = 'private_key_jwt') = (client_secret_encrypted is null)
      else sso_url is not null and cardinality(certificates) > 0
    end
  )
);
create index sign_in_connections_company on sign_in_connections (company_id, created_at, id);

-- Keys that authenticate a connection to its provider (private_key_jwt). All are published until they expire; the newest one past
-- `signs_from` signs.
create table sign_in_keys (
  id uuid primary key,
  connection_id uuid not null references sign_in_connections (id),
  company_id uuid not null,
  public_jwk jsonb not null,
  private_jwk_encrypted bytea not null,
  created_at timestamptz(3) not null default now(),
  signs_from timestamptz(3) not null,
  -- Null for the newest key.
  expires_at timestamptz(3)
);
create index sign_in_keys_connection on sign_in_keys (connection_id, created_at);

-- Email domains of a connection, verified by a TXT record.
create table sign_in_domains (
  connection_id uuid not null references sign_in_connections (id),
  domain text not null,
  company_id uuid not null,
  -- Required content of the record.
  token text not null,
  verified_at timestamptz(3),
  checked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (connection_id, domain)
);
-- A verified domain belongs to one connection.
create unique index sign_in_domains_proven on sign_in_domains (domain) where verified_at is not null;

-- Links a provider's subject to a user, after proof of identity. The user belongs to this company only.
create table sign_in_links (
  connection_id uuid not null references sign_in_connections (id),
  subject text not null,
  company_id uuid not null,
  collaborator_id uuid not null,
  user_id uuid not null references users (id),
  created_at timestamptz(3) not null default now(),
  last_sign_in_at timestamptz(3),
  primary key (connection_id, subject)
);
create unique index sign_in_links_person on sign_in_links (connection_id, collaborator_id);
create index sign_in_links_user on sign_in_links (user_id);

-- Pending SAML sign-ins. The provider's response is posted without our cookies, so it is stored here until the browser that started
-- the sign-in collects it.
create table sign_in_requests (
  relay_state_hash bytea primary key,
  connection_id uuid not null,
  -- ID of the request, which the response must name.
  request_id text not null,
  -- Encrypted for the browser: the purpose of the sign-in.
  begun text not null,
  -- Encrypted: the provider's response, or why it was rejected.
  outcome text,
  expires_at timestamptz(3) not null
);
create index sign_in_requests_expires_at on sign_in_requests (expires_at);

-- Connections: a user's grants to clients. The scopes are also in the grant artifact. An installation outlives the account of the
-- person who installed it, so user_id isn't a foreign key.
create table oauth_grants (
  id text primary key,
  user_id uuid not null,
  client_id text not null references oauth_clients (id),
  company_ids uuid[] not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  -- Granted scopes.
  scopes text[] not null default '{}',
  -- When it expires at the latest.
  expires_at timestamptz(3),
  -- The role of an installation, which belongs to one company instead of the person who installed the app.
  installation_role text check (installation_role in ('admin', 'manager')),
  -- When the user last signed in for it: a company's policy may require a new sign-in after some time.
  signed_in_at timestamptz(3),
  -- The device on which it was granted.
  device_id uuid,
  -- For installations: since when it is suspended because its installer's role is below its own, and since when admins are asked to
  -- confirm it because the installer was demoted or has left. A confirmation by an admin clears both.
  suspended_at timestamptz,
  confirmation_requested_at timestamptz
);
create index oauth_grants_user on oauth_grants (user_id);
create index oauth_grants_companies on oauth_grants using gin (company_ids) where revoked_at is null;
create index oauth_grants_client on oauth_grants (client_id) where revoked_at is null;
create index oauth_grants_device on oauth_grants (device_id) where device_id is not null;

-- Sessions, interactions, codes, and refresh tokens: found by the hash of a secret, and encrypted.
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

-- Time (to the minute) and address of a connection's last use for a company. Other companies can't see it.
create table connection_uses (
  company_id uuid not null references companies (id),
  connection_id text not null,
  user_id uuid not null,
  last_used_at timestamptz(3) not null,
  last_ip inet,
  primary key (company_id, connection_id)
);

----------------------------------------------------------------------------------------- limits, files, and the queue

-- Counters of attempts, such as sign-ins and token requests. The key is a hash; `expire` is in milliseconds since 1970. Unlogged: a
-- crash loses a few minutes of counts. The columns are those of rate-limiter-flexible.
create unlogged table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expiry on rate_limits (expire);

-- Requests per minute, summed over all processes. Unlogged: worthless after a crash. The fillfactor leaves room for in-place
-- updates, several per second for a busy client.
create unlogged table rate_limit_windows (
  -- The window, in minutes since 1970.
  minute integer not null,
  key text not null,
  points integer not null,
  changed_at timestamptz not null,
  -- Whether the count has reached half of its limit. Every process reads these few rows through a partial index; counts below don't
  -- change the index.
  is_near boolean not null default false,
  primary key (minute, key)
) with (fillfactor = 50);
create index rate_limit_windows_near on rate_limit_windows (minute) where is_near;

-- Number of emails that a company has caused, to limit them.
create table mail_counts (
  company_id uuid primary key references companies (id),
  -- The UTC day that `mails` counts.
  day date not null,
  mails integer not null,
  -- When all of its emails will have been sent at the permitted rate.
  busy_until timestamptz not null
);

-- Identifies the file store of this database: an object in the store has the same mark. `marked_at` is null until that object
-- exists.
create table file_store (
  is_only boolean primary key default true check (is_only),
  mark uuid not null,
  marked_at timestamptz(3)
);

-- Jobs whose process died. Unlogged and excluded from backups: the data matters only for a moment.

-- Workers, by the name under which they lock jobs, and when each last reported.
create unlogged table worker_pools (
  id text primary key,
  seen_at timestamptz not null,
  -- Name of the session in which the process looks for jobs: while it is connected, the process lives.
  session text
);

-- How often a process died while running a job of the queue.
create unlogged table job_deaths (
  job_id bigint primary key,
  deaths integer not null
);

--------------------------------------------------------------------------------------------------------- collaborators

create table collaborators (
  company_id uuid not null references companies (id),
  id uuid not null,
  -- Set only when the person accepts an invitation.
  user_id uuid,
  name text not null,
  email text not null,
  phone text,
  position text not null,
  department text not null,
  status text not null default 'pending' check (status in ('active', 'inactive', 'pending')),
  role text not null default 'employee' check (role in ('admin', 'manager', 'employee')),
  hire_date date,
  salary numeric(14, 2) check (salary >= 0),
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
  status_since timestamptz(3) not null default now(),
  status_reason text,
  -- User who last changed the status; null for the operator's command line and for accepted invitations.
  status_changed_by uuid,
  -- When the person first accepted an invitation. From then on, admins may activate and deactivate them.
  accepted_at timestamptz(3),
  -- When personal data was erased. Only IDs and times remain, so that clients that synchronize learn about it. Erased people are
  -- never restored.
  erased_at timestamptz(3),
  -- Keys of the source system and of the company, case-sensitive.
  external_id text,
  employee_number text,
  -- Last day of employment; the worker deactivates the person afterwards.
  termination_date date,
  -- The termination date that was announced a week and a day ahead, so that each date is announced once.
  termination_week_told date,
  termination_day_told date,
  -- The termination date after which the person stayed active as the last admin, so that it is recorded once.
  termination_held date,
  -- Custom field values by key; null for none. `custom_field_sets` defines the fields.
  custom_fields jsonb,
  -- The import that added the person, for undoing it.
  import_id uuid,
  -- The directory that manages the person, and the managed fields by their contract names. Stored here, so that lists need no join.
  managed_by uuid,
  managed_fields text[],
  primary key (company_id, id)
);
create unique index collaborators_email_key on collaborators (company_id, lower(email)) where deleted_at is null;
create unique index collaborators_user_key on collaborators (company_id, user_id)
  where user_id is not null and deleted_at is null;
create unique index collaborators_external_id_key on collaborators (company_id, external_id)
  where external_id is not null and deleted_at is null;
create unique index collaborators_employee_number_key on collaborators (company_id, employee_number)
  where employee_number is not null and deleted_at is null;
create index collaborators_manager on collaborators (company_id, manager_id);
create index collaborators_import on collaborators (company_id, import_id, id) where import_id is not null;
-- For names in the audit log, including deleted people.
create index collaborators_user on collaborators (company_id, user_id) where user_id is not null;

create index collaborators_search on collaborators
  using gin (search_keys(company_id, search_text)) where deleted_at is null;
-- No plan uses key statistics of the search index, and collecting them takes as long as all other statistics of this table.
alter index collaborators_search alter column 1 set statistics 0;

-- Sort orders that ignore case and accents, independent of the database's locale. `include` has the source column, because
-- index-only scans need it.
create index collaborators_by_name on collaborators (company_id, (left(search_form(name), 200) collate "C"), id) include (name) where deleted_at is null;
create index collaborators_by_email on collaborators (company_id, (left(search_form(email), 200) collate "C"), id) include (email) where deleted_at is null;
create index collaborators_by_department on collaborators (company_id, (left(search_form(department), 200) collate "C"), id) include (department) where deleted_at is null;
create index collaborators_by_position on collaborators (company_id, (left(search_form(position), 200) collate "C"), id) include (position) where deleted_at is null;
create index collaborators_by_status on collaborators (company_id, status, id) where deleted_at is null;
-- Missing dates sort last (first in descending order).
create index collaborators_by_hire_date on collaborators
  (company_id, coalesce(hire_date, 'infinity'::date), id) include (hire_date) where deleted_at is null;
-- Include deleted people, for delta synchronization.
create index collaborators_by_created_at on collaborators (company_id, created_at, id) include (deleted_at);
create index collaborators_by_updated_at on collaborators (company_id, updated_at, id) include (deleted_at);

-- Filters, sorted by the default order. `include` has the source column, so that totals and skipped rows need only the index.
create index collaborators_filter_department on collaborators (company_id, lower(department), created_at, id) include (department)
  where deleted_at is null;
create index collaborators_filter_location on collaborators (company_id, lower(location), created_at, id) include (location)
  where location is not null and deleted_at is null;
create index collaborators_filter_status on collaborators (company_id, status, created_at, id) where deleted_at is null;
-- Nearly everyone is an employee, so a filter for employees scans the default order instead.
create index collaborators_filter_role on collaborators (company_id, role, created_at, id)
  where role <> 'employee' and deleted_at is null;
create index collaborators_filter_manager on collaborators
  (company_id, manager_id, created_at, id) where deleted_at is null;

-- For jobs of the worker, and for the storage sweep, which checks whether objects are referenced.
create index collaborators_termination on collaborators (company_id, termination_date)
  where termination_date is not null and deleted_at is null and status <> 'inactive';
create index collaborators_deleted on collaborators (company_id, deleted_at)
  where deleted_at is not null and erased_at is null;
create index collaborators_avatar_key on collaborators (company_id, avatar_key) where avatar_key is not null;

-- Custom field definitions of a company in display order. One row, so that its version tells processes whether their cache is
-- current.
create table custom_field_sets (
  company_id uuid primary key references companies (id),
  -- Changes with every update.
  version uuid not null,
  definitions jsonb not null,
  -- For fields that are being deleted: number of processed people, by key.
  progress jsonb not null default '{}'
);

-- Normalized values of unique fields, of people who aren't deleted.
create table custom_field_values (
  company_id uuid not null references companies (id),
  key text not null,
  value_text text not null,
  collaborator_id uuid not null,
  primary key (company_id, key, value_text)
);
create index custom_field_values_collaborator on custom_field_values (company_id, collaborator_id);

-- Append-only. `changes` is [{field, from, to}]. The time is that of the insert instead of the transaction's start, so entries of
-- transactions that wait for each other keep their order.
create table collaborator_history (
  company_id uuid not null references companies (id),
  id uuid not null,
  collaborator_id uuid not null,
  action text not null,
  description text not null,
  changes jsonb not null default '[]',
  user_id uuid,
  timestamp timestamptz(3) not null default clock_timestamp(),
  -- For entries about documents: hides them from readers who can't see documents of this type.
  document_type text,
  primary key (company_id, id)
);
create index collaborator_history_newest on collaborator_history (company_id, collaborator_id, timestamp desc, id desc);

-- Number of collaborators of a company, updated by each transaction that changes it. The count is the sum of the slots: concurrent
-- writers use different slots, to avoid waiting for each other.
create table collaborator_counts (
  company_id uuid not null references companies (id),
  slot smallint not null,
  active integer not null default 0,
  inactive integer not null default 0,
  pending integer not null default 0,
  primary key (company_id, slot)
);

-- Invitation links, each valid once. Only the SHA-256 of the secret is stored.
create table invitations (
  company_id uuid not null references companies (id),
  id uuid not null,
  collaborator_id uuid not null,
  token_hash bytea not null,
  state text not null default 'sent' check (state in ('sent', 'accepted', 'expired', 'cancelled')),
  sent_by uuid,
  sent_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (company_id, id)
);
create unique index invitations_token_key on invitations (company_id, token_hash);
create index invitations_newest on invitations (company_id, collaborator_id, sent_at desc, id desc);
-- Invitations that will expire, or that expired without an event so far.
create index invitations_open on invitations (company_id, expires_at) where state = 'sent';

create table notification_preferences (
  company_id uuid not null references companies (id),
  collaborator_id uuid not null,
  -- Explicitly set preferences, without defaults.
  preferences jsonb not null,
  updated_at timestamptz(3) not null default now(),
  primary key (company_id, collaborator_id)
);

-- Saved filters of lists, private to one person.
create table saved_views (
  company_id uuid not null references companies (id),
  collaborator_id uuid not null,
  id uuid not null,
  list text not null,
  name text not null,
  -- In the form of the contract.
  filters jsonb not null,
  -- Null for the default order.
  sort text,
  -- In display order; null for the reader's own choice of columns.
  columns text[],
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (company_id, collaborator_id, id)
);

-- Reminders on the home page that an admin snoozed, for all admins.
create table snoozes (
  company_id uuid not null references companies (id),
  kind text not null,
  -- ID of the item, without a foreign key: the item may be deleted.
  item_id text not null,
  until timestamptz(3) not null,
  snoozed_by uuid not null,
  primary key (company_id, kind, item_id)
);

-- People of a directory. Removed people are kept, in case the directory assigns them again.
create table directory_people (
  company_id uuid not null references companies (id),
  directory_id uuid not null,
  collaborator_id uuid not null,
  user_name text not null,
  -- The provider's ID.
  external_id text,
  -- The attributes that the provider sent and the collaborator has no columns for.
  attributes jsonb not null,
  -- A manager who isn't provisioned yet: an ID, external ID, or user name.
  awaited_manager text,
  -- Role assigned by groups, which they may also revoke.
  given_role text check (given_role in ('manager', 'admin')),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  removed_at timestamptz(3),
  primary key (company_id, directory_id, collaborator_id)
);
create unique index directory_people_user_name on directory_people (company_id, directory_id, lower(user_name))
  where removed_at is null;
create unique index directory_people_external_id on directory_people (company_id, directory_id, external_id)
  where external_id is not null and removed_at is null;
-- Find people who are assigned again.
create index directory_people_removed_name on directory_people (company_id, directory_id, lower(user_name))
  where removed_at is not null;
create index directory_people_removed_id on directory_people (company_id, directory_id, external_id)
  where external_id is not null and removed_at is not null;
-- A person belongs to one directory at a time.
create unique index directory_people_once on directory_people (company_id, collaborator_id) where removed_at is null;
create index directory_people_in_order on directory_people (company_id, directory_id, created_at, collaborator_id)
  where removed_at is null;
create index directory_people_awaited on directory_people (company_id, directory_id, awaited_manager)
  where awaited_manager is not null;

create table directory_groups (
  company_id uuid not null references companies (id),
  directory_id uuid not null,
  id uuid not null,
  display_name text not null,
  external_id text,
  -- Role of its members, chosen by an admin; null for none.
  role text check (role in ('manager', 'admin')),
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (company_id, id)
);
create unique index directory_groups_name on directory_groups (company_id, directory_id, lower(display_name));

create table directory_members (
  company_id uuid not null references companies (id),
  group_id uuid not null,
  collaborator_id uuid not null,
  primary key (company_id, group_id, collaborator_id)
);
create index directory_members_person on directory_members (company_id, collaborator_id);

-- Unresolved errors of a directory, at most one per person or group.
create table directory_errors (
  company_id uuid not null references companies (id),
  directory_id uuid not null,
  id uuid not null,
  -- The affected person or group: a user name, a group name, or an ID.
  subject text not null,
  operation text not null,
  status smallint not null,
  message text not null,
  occurrences integer not null default 1,
  first_at timestamptz(3) not null default now(),
  last_at timestamptz(3) not null default now(),
  primary key (company_id, id)
);
create unique index directory_errors_subject on directory_errors (company_id, directory_id, lower(subject));
create index directory_errors_newest on directory_errors (company_id, directory_id, last_at desc, id desc);

-- Synchronizations: requests of a directory in quick succession, counted. `ended_at` is null for the current one.
create table directory_syncs (
  company_id uuid not null references companies (id),
  directory_id uuid not null,
  id uuid not null,
  started_at timestamptz(3) not null default now(),
  last_request_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  -- Time of the last successful request.
  last_success_at timestamptz(3),
  created integer not null default 0,
  changed integer not null default 0,
  unchanged integer not null default 0,
  removed integer not null default 0,
  failed integer not null default 0,
  primary key (company_id, id)
);
create unique index directory_syncs_open on directory_syncs (company_id, directory_id) where ended_at is null;
create index directory_syncs_newest on directory_syncs (company_id, directory_id, started_at desc, id desc);

-- Responses to requests with an Idempotency-Key, kept for 24 hours. The key's hash covers client, method, and path. Encrypted,
-- because responses may contain secrets, such as that of a new subscription.
create table idempotency_keys (
  company_id uuid not null references companies (id),
  key_hash bytea not null,
  request_hash bytea not null,
  status smallint not null,
  headers jsonb not null,
  created_at timestamptz(3) not null default now(),
  body_encrypted bytea,
  primary key (company_id, key_hash)
);
create index idempotency_keys_age on idempotency_keys (company_id, created_at);

-- Documents of collaborators. Files are objects in the storage. An object is written before the row that references it and deleted
-- after it, so the object of each row exists. The storage sweep deletes unreferenced objects.
create table documents (
  company_id uuid not null references companies (id),
  id uuid not null,
  collaborator_id uuid not null,
  -- Key of the object; null for deleted documents, whose object is deleted too.
  key text,
  name text not null,
  type text not null,
  -- Detected from the content.
  media_type text not null,
  size integer not null check (size > 0),
  sha256 bytea not null,
  description text,
  uploaded_by uuid,
  uploaded_at timestamptz(3) not null default clock_timestamp(),
  deleted_at timestamptz(3),
  primary key (company_id, id),
  check ((key is null) = (deleted_at is not null))
);
create index documents_newest on documents (company_id, collaborator_id, uploaded_at desc, id desc)
  where deleted_at is null;
create index documents_deleted on documents (company_id, deleted_at) where deleted_at is not null;
create unique index documents_key on documents (company_id, key) where key is not null;

--------------------------------------------------------------------------------------------------- events and webhooks

-- Events with their payload as of that moment, so delivery doesn't depend on current data.
create table events (
  company_id uuid not null references companies (id),
  id uuid not null,
  name text not null,
  event_type text not null,
  -- JSON as text, because jsonb loses the order of keys. Null for events without a payload.
  payload text,
  created_at timestamptz(3) not null default clock_timestamp(),
  idempotency_key text,
  -- Position among the company's events. Assigned after the commit, so readers that continue from a number miss no late commit.
  -- Null until then; 0 for test events, which aren't part of the sequence.
  sequence bigint,
  -- The request that caused the event, to trace work done later: {"request_id": …, "traceparent": …}. Null if no request caused it.
  -- The same applies to other tables.
  origin jsonb,
  primary key (company_id, id)
);
create index events_newest on events (company_id, created_at desc, id desc);
create unique index events_in_order on events (company_id, sequence) where sequence > 0;
create index events_unnumbered on events (company_id, created_at, id) where sequence is null;

-- The last assigned sequence number of a company. Locking its row serializes the assignment.
create table event_sequences (
  company_id uuid not null references companies (id),
  last_sequence bigint not null default 0,
  primary key (company_id)
);

create table webhooks (
  company_id uuid not null references companies (id),
  id uuid not null,
  url text not null,
  -- Event names, `namespace.*`, or `*`.
  events text[] not null,
  description text,
  -- Encrypted JSON: headers may contain the receiver's credentials.
  headers_encrypted bytea,
  payload_format text not null check (payload_format in ('envelope', 'flat')),
  -- Encrypted JSON: [{secret, expires_at}], newest first.
  secrets_encrypted bytea not null,
  status text not null default 'active' check (status in ('active', 'deactivated')),
  deactivated_at timestamptz(3),
  deactivation_reason text,
  consecutive_failures integer not null default 0,
  last_delivery_at timestamptz(3),
  last_success_at timestamptz(3),
  last_status_code smallint,
  -- Events before this time aren't sent, even if dispatched later.
  wanted_from timestamptz(3) not null default now(),
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Maximum requests per second; null for unlimited.
  max_per_second integer check (max_per_second between 1 and 1000),
  -- For limited subscriptions: when the next request is due, in microseconds.
  paced_until timestamptz,
  -- When admins were last warned that the subscription will be deactivated if it keeps failing.
  warned_at timestamptz(3),
  primary key (company_id, id)
) with (fillfactor = 50);
-- Across companies, for metrics of the subscriptions that fail most.
create index webhooks_failing on webhooks (consecutive_failures desc)
  where status = 'active' and consecutive_failures > 0;

-- Deliveries of an event to a subscription. Without foreign keys: one statement reads both and inserts them, and rows are deleted
-- after 30 days, so deleting a subscription doesn't depend on the number of its deliveries.
create table deliveries (
  company_id uuid not null references companies (id),
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event text not null,
  payload_format text not null,
  status text not null default 'pending'
    check (status in ('pending', 'delivering', 'succeeded', 'failed', 'cancelled')),
  attempt_count integer not null default 0,
  -- Failed attempts since creation or redelivery, which determine the next retry.
  failures smallint not null default 0,
  -- Whether failed attempts are retried; false for tests and for single manual attempts.
  retried boolean not null default true,
  -- Whether the next attempt was requested manually.
  manual boolean not null default false,
  -- Whether it is part of a replay.
  replaying boolean not null default false,
  -- When pending, the time of the next attempt; when delivering, the start of the attempt. Null when completed.
  due_at timestamptz(3),
  last_status_code smallint,
  last_error_class text,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  -- How often a process died during an attempt since the last recorded attempt. Such a delivery is tried alone once more, then
  -- abandoned, before it brings down all processes.
  deaths smallint not null default 0,
  -- Whether the current attempt was the only one of its subscription when it started.
  is_alone boolean not null default false,
  -- When delivering: the queue job that sends it, and the run of that job. If no worker runs the job anymore, the next one takes
  -- over.
  job_id bigint,
  turn_id uuid,
  primary key (company_id, id)
);
create unique index deliveries_once on deliveries (company_id, event_id, webhook_id);
create index deliveries_due on deliveries (company_id, webhook_id, due_at, event_id)
  where status in ('pending', 'delivering');
-- Deliveries during which processes died, checked by each claim.
create index deliveries_suspected on deliveries (company_id, webhook_id, due_at)
  where status = 'pending' and deaths >= 2;
-- Counted by each claim, independent of the number of waiting deliveries.
create index deliveries_under_way on deliveries (company_id, webhook_id) where status = 'delivering';
-- Across companies, for recovery after a crash and for metrics. Expressions that no statement of one subscription has, so that Postgres
-- can't use it for one: with statistics from a moment when little was due, it would, and then read what is due in all subscriptions.
create index deliveries_overdue on deliveries ((due_at at time zone 'UTC')) where due_at at time zone 'UTC' is not null;
create index deliveries_newest on deliveries (company_id, webhook_id, created_at desc, id desc);
create index deliveries_replaying on deliveries (company_id, webhook_id)
  where replaying and status in ('pending', 'delivering');
create index deliveries_age on deliveries (company_id, created_at);
-- The most recently completed deliveries, for statistics of a subscription, independent of the number of waiting ones.
create index deliveries_ended on deliveries (company_id, webhook_id, completed_at desc)
  where status in ('succeeded', 'failed');

-- Requests of a delivery and their results; the event has the rest.
create table attempts (
  company_id uuid not null references companies (id),
  delivery_id uuid not null,
  number integer not null,
  manual boolean not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  status_code smallint,
  error_class text,
  -- The first 1,024 bytes of the response body as readable text; null without a response.
  response_excerpt text,
  -- Address of the request: that of the subscription may have changed since.
  url text,
  -- Of the body alone, followed by one per valid secret: 32 bytes each.
  signatures bytea,
  -- Names of the subscription's custom headers, in order; null for none. Never their values.
  header_names jsonb,
  -- [[name, value]]: the first response headers, truncated, with possible secrets masked; null without a response.
  response_headers jsonb,
  -- The TLS library's reason for a failed handshake, if known.
  error_detail text,
  -- When the next attempt was due; null if none was planned.
  next_attempt_at timestamptz(3),
  primary key (company_id, delivery_id, number)
);

--------------------------------------------------------------------------------------------------- imports and exports

-- Imports, their errors, and exports. Files are objects in the storage, as for documents: written before the row that references
-- them, and deleted after it.

create table imports (
  company_id uuid not null references companies (id),
  id uuid not null,
  filename text not null,
  -- Detected from the content.
  format text not null check (format in ('xlsx', 'xls', 'xlsb', 'ods', 'csv')),
  size integer not null check (size > 0),
  sha256 bytea not null,
  -- The uploaded file; null once it is no longer needed.
  key text,
  mode text not null check (mode in ('create', 'upsert')),
  on_error text not null check (on_error in ('continue', 'abort')),
  empty_cells text not null check (empty_cells in ('keep', 'clear')),
  send_invitations boolean not null,
  dry_run boolean not null,
  -- Sheet and column mapping chosen by the caller, in the order given.
  sheet text,
  mapping json not null default '{}',
  -- Scopes of the tokens that started or committed it, which determine the fields it may write.
  may_write_salary boolean not null,
  -- Whether the people who started and committed it can see the salaries that it may change. If one of them can't, every salary in
  -- the file counts as changed, so that the counts reveal nothing.
  may_read_salary boolean not null default false,
  -- Columns of the file: [{column, header, field}]; empty until it has been read.
  columns jsonb not null default '[]',
  has_salaries boolean not null default false,
  status text not null default 'queued'
    check (status in ('queued', 'validating', 'needs_answers', 'processing', 'completed', 'completed_with_errors', 'failed',
      'cancelled')),
  -- Null until the file has been read.
  rows_total integer,
  rows_checked integer not null default 0,
  -- Number of rows written, in the order of writing: managers before their reports. Each batch advances it in its own transaction
  -- from the value it started with, so no row is lost or written twice after a crash.
  position integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  unchanged_count integer not null default 0,
  skipped_count integer not null default 0,
  failed_count integer not null default 0,
  error_count integer not null default 0,
  failure_reason text,
  -- Why the whole import failed, in English and as a translatable text: {key, values, plural, joined}
  -- (src/contract/languages/text.ts).
  failure_message text,
  failure_said jsonb,
  -- The file with its errors, for correction.
  report_key text,
  -- End of a worker's lease; afterwards another worker takes over. Null when completed.
  due_at timestamptz(3),
  -- Number of times a worker started since the last progress; too many make the import fail.
  attempts smallint not null default 0,
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  committed_by uuid,
  committed_at timestamptz(3),
  completed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  origin jsonb,
  -- Number of managers above each row once all rows are written, in row order: [0, 1, …]. Kept from validation to the end, because
  -- the order of writing, and thus `position`, must not change with the tree. Null if no existing person gets another manager: then
  -- the order follows from the file alone.
  row_levels jsonb,
  -- Whether a worker runs it. If still set after the end of the lease, that worker died.
  is_held boolean not null default false,
  -- How many workers died since the last progress, and in total. Such an import is tried once more, then fails, before it brings
  -- down all workers.
  deaths smallint not null default 0,
  deaths_total smallint not null default 0,
  -- For cancelled imports: how often writing the report was started, and the end of the worker's lease.
  tidy_attempts smallint not null default 0,
  tidy_held_until timestamptz,
  -- When its stored errors were deleted to make room for newer ones.
  errors_removed_at timestamptz(3),
  -- How to match people, if chosen by the caller; null to choose by row.
  match_by text check (match_by in ('id', 'external_id', 'employee_number', 'email')),
  -- Format of dates in text cells, if chosen by the caller.
  date_order text check (date_order in ('dmy', 'mdy', 'ymd')),
  -- 1-based row of the headers; null until the file has been read, and for files without headers.
  header_row integer,
  -- Warnings: [{code, message, column}]; empty until the file has been read.
  warnings jsonb not null default '[]',
  -- Encoding of a CSV file, chosen by the caller or detected; if detection is uncertain, also the alternative: {sample,
  -- other_encoding, other_sample}. Committing a dry run keeps its encoding.
  encoding text,
  encoding_guess jsonb,
  -- Interpretation chosen by the caller or an answer: the decimal separator, whether to reverse names with a comma, whether to
  -- repair text in a wrong encoding, and whether to ignore unknown columns.
  decimal text check (decimal in ('comma', 'point')),
  name_order text check (name_order in ('as_written', 'family_first')),
  garbled_text text check (garbled_text in ('keep', 'repair')),
  unknown_columns text check (unknown_columns in ('refuse', 'ignore')),
  unknown_managers text not null default 'fail' check (unknown_managers in ('fail', 'warn')),
  -- Questions to answer before validation: [{id, kind, column, said, choices}].
  questions jsonb not null default '[]',
  -- Name of the tool that the file seems to come from.
  layout text,
  -- Interpretation of the first values of each column and the first people: {samples, people}. Personal data of the file, deleted
  -- with it.
  preview jsonb not null default '{"samples":{},"people":[]}',
  -- Undo: requester and time, number of deleted people, and who was kept and why: {kept, people}. While running, `undo_due_at` is
  -- when a worker may take it over.
  undo_requested_by uuid,
  undo_requested_at timestamptz(3),
  undo_removed_count integer not null default 0,
  undo_report jsonb,
  undo_completed_at timestamptz(3),
  undo_due_at timestamptz(3),
  primary key (company_id, id),
  check ((failure_reason is not null) = (status = 'failed')),
  check ((due_at is null) = (status in ('needs_answers', 'completed', 'completed_with_errors', 'failed', 'cancelled')))
) with (fillfactor = 50);
create index imports_newest on imports (company_id, created_at desc, id desc);
create index imports_by_status on imports (company_id, status, created_at desc, id desc);
-- Imports that haven't completed. A company's imports run one at a time, oldest first. As `imports_undo` and `exports_open`, also for
-- recovery, which reads those of all companies: if they began with the time, Postgres could use them for one company, too.
create index imports_open on imports (company_id, created_at, id) where due_at is not null;
create index imports_age on imports (company_id, expires_at);
create index imports_undo on imports (company_id, undo_due_at) where undo_due_at is not null;
-- Referenced objects, for the storage sweep.
create unique index imports_key on imports (company_id, key) where key is not null;
create unique index imports_report_key on imports (company_id, report_key) where report_key is not null;

-- All errors of a file. Rows with errors aren't written.
create table import_errors (
  company_id uuid not null references companies (id),
  import_id uuid not null,
  -- 1-based; the headers are usually row 1.
  row_number integer not null,
  -- Position among the errors of the row.
  number smallint not null,
  column_letter text,
  field text,
  code text not null,
  -- In English, and as a translatable text.
  message text not null,
  said jsonb,
  -- Truncated cell value; null without a cell or value. Deleted with its import.
  value text,
  primary key (company_id, import_id, row_number, number)
);

-- People found by a dry run, and the field that matched. Its result is valid while they are unchanged.
create table import_matches (
  company_id uuid not null references companies (id),
  import_id uuid not null,
  field text not null default 'email' check (field in ('id', 'external_id', 'employee_number', 'email')),
  -- Value of a person or manager in the file: lowercase for addresses, otherwise as written.
  value text not null,
  -- Null if nobody matched.
  collaborator_id uuid,
  revision integer,
  primary key (company_id, import_id, field, value)
);

create table exports (
  company_id uuid not null references companies (id),
  id uuid not null,
  -- `personal_data` is an archive of everything about one person.
  kind text not null check (kind in ('individual', 'list', 'group', 'personal_data')),
  format text not null check (format in ('xlsx', 'csv', 'json', 'zip')),
  -- Selection: {collaborator_id}, {filters, sort}, or {filters, group_by}.
  query jsonb not null,
  -- Scopes of the requesting token that affect the content; downloads require them too.
  scopes text[] not null,
  -- Role of the requester; people whose role is lower by now can't download it.
  role text not null check (role in ('admin', 'manager', 'employee')),
  -- Fields left out because the requester can't read them.
  omitted text[] not null default '{}',
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed')),
  filename text not null,
  -- Chosen at creation, so that the link exists before the object.
  key text not null,
  rows_total integer,
  rows_done integer not null default 0,
  row_count integer,
  size bigint,
  -- As in imports.
  failure_message text,
  failure_said jsonb,
  -- How often a worker started it, which is limited, and how many died while running it.
  attempts smallint not null default 0,
  deaths smallint not null default 0,
  due_at timestamptz(3),
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  origin jsonb,
  -- Fingerprint of the people visible to the requester: the export ends when it changes. Null if the role alone determines them.
  reach bytea,
  primary key (company_id, id),
  check ((due_at is null) = (status in ('completed', 'failed')))
) with (fillfactor = 50);
create unique index exports_key on exports (company_id, key);
create index exports_open on exports (company_id, due_at) where due_at is not null;
create index exports_age on exports (company_id, expires_at);
-- Lists a requester's exports, newest first.
create index exports_newest on exports (company_id, created_by, created_at desc, id desc);

--------------------------------------------------------------------------------------------------------- the audit log

-- Who did what in a company, and from where. The application's role may only insert and read (privileges.ts), and deletes old
-- entries through the function below.
create table audit_log (
  company_id uuid not null references companies (id),
  -- UUIDv7: starts with the time of `at`, so the key has the order of the list.
  id uuid not null,
  at timestamptz(3) not null,
  -- The operationId of a request, or a name with a dot or underscore.
  action text not null,
  -- Installations and directories act for themselves: their ID replaces that of a user.
  actor_type text not null check (actor_type in ('user', 'installation', 'directory', 'operator', 'link')),
  actor_id uuid,
  client_id text,
  ip inet,
  user_agent text,
  request_id text,
  target_type text,
  target_id text,
  outcome text not null check (outcome in ('succeeded', 'refused')),
  details jsonb,
  primary key (company_id, id),
  check ((actor_type in ('user', 'installation', 'directory')) = (actor_id is not null)),
  check ((target_type is null) = (target_id is null))
);
create index audit_log_actor on audit_log (company_id, actor_id, id) where actor_id is not null;
create index audit_log_target on audit_log (company_id, target_id, id) where target_id is not null;
create index audit_log_action on audit_log (company_id, action, id);

-- Search keys of an entry: each changed field, combined with the company as in search_keys().
create function audit_field_keys(company_id uuid, fields jsonb) returns bigint[]
  language sql immutable parallel safe strict
  return (
    select coalesce(array_agg(hashtextextended(field, uuid_hash_extended(company_id, 0))), '{}')
    from jsonb_array_elements_text(fields) field
  );
create index audit_log_changed_fields on audit_log
  using gin (audit_field_keys(company_id, details -> 'changed_fields')) where details -> 'changed_fields' is not null;

-- Deletes entries of a company older than a number of days, at least 90. Runs as the table's owner. If the owner has revoked its
-- own right to delete, grants it for this transaction only, invisible to others.
create function remove_old_audit_entries(of_company uuid, kept_days integer, max_rows integer) returns integer
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
as $$
declare
  removed integer;
  lacks_right boolean := not has_table_privilege('public.audit_log', 'delete');
  cutoff timestamptz;
  first_kept uuid;
begin
  if kept_days is null or kept_days < 90 then
    raise exception 'audit entries are kept for 90 days at least' using errcode = 'check_violation';
  end if;
  cutoff := now() - make_interval(days => kept_days);
  first_kept := rpad(lpad(to_hex(floor(extract(epoch from cutoff) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
  if lacks_right then
    perform pg_advisory_xact_lock(727003);
    execute format('grant delete on public.audit_log to %I', current_user);
  end if;
  delete from public.audit_log
  where company_id = of_company and at < cutoff and id = any(array(
    select old.id from public.audit_log old
    where old.company_id = of_company and old.id < first_kept
    order by old.id limit max_rows
  ));
  get diagnostics removed = row_count;
  if lacks_right then
    execute format('revoke delete on public.audit_log from %I', current_user);
  end if;
  return removed;
end
$$;
revoke execute on function remove_old_audit_entries(uuid, integer, integer) from public;

------------------------------------------------------------------------------------------ foreign keys of tenant tables

alter table collaborators
  add constraint collaborators_manager_fkey foreign key (company_id, manager_id)
  references collaborators (company_id, id);
alter table collaborator_history
  add constraint collaborator_history_collaborator_fkey foreign key (company_id, collaborator_id)
  references collaborators (company_id, id);
alter table invitations
  add constraint invitations_collaborator_fkey foreign key (company_id, collaborator_id)
  references collaborators (company_id, id);
alter table notification_preferences
  add constraint notification_preferences_collaborator_fkey foreign key (company_id, collaborator_id)
  references collaborators (company_id, id);
alter table saved_views
  add constraint saved_views_collaborator_fkey foreign key (company_id, collaborator_id)
  references collaborators (company_id, id);
alter table documents
  add constraint documents_collaborator_fkey foreign key (company_id, collaborator_id)
  references collaborators (company_id, id);
alter table attempts
  add constraint attempts_delivery_fkey foreign key (company_id, delivery_id)
  references deliveries (company_id, id) on delete cascade;
alter table import_errors
  add constraint import_errors_import_fkey foreign key (company_id, import_id)
  references imports (company_id, id) on delete cascade;
alter table import_matches
  add constraint import_matches_import_fkey foreign key (company_id, import_id)
  references imports (company_id, id) on delete cascade;

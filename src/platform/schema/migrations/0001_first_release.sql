-- The schema of 1.0.0. Data of unpublished versions before it are refused (migrate.ts); each later change is a file of its own.
--
-- A tenant table has company_id first in its primary key, in every unique index and in every foreign key, so that the schema can be
-- distributed by company. There are no triggers on tenant tables for the same reason.

create extension if not exists pg_trgm;
create extension if not exists unaccent;

-------------------------------------------------------------------------------------------------- functions of a search

-- unaccent() is only "stable" because its dictionary could be replaced; an index needs an immutable form.
-- Decomposing first folds precomposed letters and letters followed by combining marks into the same text.
create function search_form(value text) returns text
  language sql immutable parallel safe strict
  return lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, nfkc)));

-- All pieces of a text that have this many characters, as hashes. Two pieces with the same hash cost a look at a row that does
-- not match, and nothing else. A search looks for a part of a name, an address or a position, each of which is a line: no piece
-- reaches into the next line.
create function search_pieces(company_id uuid, value text, size integer) returns bigint[]
  language sql immutable parallel safe strict
  return array(
    select hashtextextended(substr(value, n, size), uuid_hash_extended(company_id, size))
    from generate_series(1, length(value) - size + 1) n
    where position(chr(10) in substr(value, n, size)) = 0
  );

-- The keys a row is found by: pieces of three characters, pieces of five (there are far more different ones, so the list behind
-- each stays short in a large company), and the company alone. Every key is a piece of text within one company: with the company
-- beside trigrams an index would intersect the lists of all companies. A loop takes a quarter of the time of a query.
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

-- The keys that a row with a term (in search_form) must have. The company alone for a term that has no piece within a line; its
-- first key is asked for by itself, so there has to be one.
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
  -- Limits of its own, by name; without one that of the settings.
  quotas jsonb not null default '{}',
  -- In which its days begin.
  time_zone text not null default 'UTC',
  locale text,
  -- For signing in; only what was set is stored.
  policy jsonb not null default '{}',
  -- Grows with each change, so that nobody overwrites a change that they have not seen.
  revision integer not null default 1,
  -- Null as long as nothing has changed since the company was made.
  updated_at timestamptz(3)
);

------------------------------------------------------------------------------------- users, and what they sign in with

-- A person who can sign in. One user may belong to several companies.
create table users (
  id uuid primary key,
  email text not null,
  name text not null,
  password_hash text,
  -- When they opened a mail at this address; null for an account that the operator made.
  email_confirmed_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Of a user whom the identity provider of a company signs in: that company, and they are a member of no other. They have no
  -- password (`password_hash` holds a value that none matches), and their address is what the company says, so it identifies nobody.
  only_company_id uuid
);
create unique index users_email_key on users (lower(email)) where only_company_id is null;
create index users_only_company on users (only_company_id) where only_company_id is not null;

-- Which companies know a user, and as which collaborator. Role and status stay with the collaborator alone.
create table memberships (
  user_id uuid not null references users (id),
  company_id uuid not null references companies (id),
  collaborator_id uuid not null,
  primary key (user_id, company_id)
);
-- For a search by the user whose access ends: which companies they are a member of stands in memberships already.
create index memberships_company on memberships (company_id, collaborator_id);

-- Links to choose a new password.
create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users (id),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  -- A keyed hash of the device or the network: what strangers ask for does not use up the links of a device that has signed in before.
  requested_by bytea,
  known_device boolean not null default false
);
create index password_resets_user on password_resets (user_id, created_at);

-- Apps that show a new code every 30 seconds (RFC 6238).
create table totp_factors (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null,
  secret_encrypted bytea not null,
  -- The time step of the last code that was taken: no code of this step or an earlier one is taken again.
  last_step bigint not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index totp_factors_user on totp_factors (user_id);

-- WebAuthn credentials; what is kept of each is public, its private key never leaves the device.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null,
  credential_id bytea not null,
  public_key bytea not null,
  -- How often the device says that it has signed; 0 for those that do not count.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create unique index passkeys_credential_key on passkeys (credential_id);
create index passkeys_user on passkeys (user_id);

-- SHA-256 over the user and the code, which has 120 random bits.
create table recovery_codes (
  user_id uuid not null references users (id),
  code_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- Challenges that a passkey has answered, until they would have expired: none is answered twice.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index used_challenges_expiry on used_challenges (expires_at);

-- Browsers that somebody signs in with, and what is open in each.
create table user_devices (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- SHA-256 of what its cookie says.
  device_hash bytea not null,
  -- As people call it, such as "Firefox, Windows"; null for one that is neither a known browser nor on a known system.
  words text,
  last_ip inet,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  -- When the person signed it out. It is known no more: its next sign-in is told as that of a new device.
  signed_out_at timestamptz(3),
  -- SHA-256 of the connection and the provider's session (sid) that the latest sign-in came from, for logouts by the provider.
  provider_session_hash bytea
);
create unique index user_devices_key on user_devices (user_id, device_hash);
create index user_devices_seen on user_devices (last_seen_at);
create index user_devices_provider_session on user_devices (provider_session_hash) where provider_session_hash is not null;

-- The sessions of browsers, by the hash that `oauth_artifacts` has of them.
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

-- Private keys are encrypted with a key from the configuration; public keys are published at /oauth/jwks.
create table signing_keys (
  id text primary key,
  algorithm text not null,
  public_jwk jsonb not null,
  private_jwk_encrypted bytea not null,
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3)
);

-- A client of the operator belongs to no company; one that a company registers itself is an app.
create table oauth_clients (
  id text primary key,
  name text not null,
  -- SHA-256 of the secret (which has 256 random bits); null for public clients.
  secret_hash bytea,
  redirect_uris text[] not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  company_id uuid,
  description text,
  logo_url text,
  website text,
  -- Those that it may ask for; null for all there are.
  scopes text[],
  visibility text not null default 'company' check (visibility in ('company', 'everyone')),
  -- By the operator, for people of other companies.
  approved_at timestamptz(3),
  -- Secrets before the newest one that may not have expired: [{"hash": base64url of the SHA-256, "expires_at": time}].
  earlier_secrets jsonb not null default '[]',
  -- Public keys (RFC 7517) with which it proves who it is in place of the secret; null for none.
  jwks jsonb,
  created_by uuid,
  updated_at timestamptz(3) not null default now()
);
create index oauth_clients_company on oauth_clients (company_id, created_at, id) where company_id is not null;

-- Companies' directories: identity providers that tell by SCIM who joins, changes and leaves. Found by the id in the address of a request
-- before its company is known, so they stand among the clients. Of the token (256 random bits) only the SHA-256 is kept.
create table directories (
  id uuid primary key,
  company_id uuid not null,
  name text not null,
  token_hash bytea not null,
  token_created_at timestamptz(3) not null default now(),
  -- The token before the newest one, which goes on for a day.
  previous_token_hash bytea,
  previous_token_expires_at timestamptz(3),
  -- The newest moment of which the admins were told that the token is old.
  token_age_told_at timestamptz(3),
  -- For metrics: when the provider last sent something that was not refused, and since when all of it is.
  last_success_at timestamptz(3),
  failing_since timestamptz(3),
  on_delete text not null check (on_delete in ('deactivate', 'delete')),
  on_create text not null check (on_create in ('pending', 'invite')),
  match_by text not null check (match_by in ('external_id', 'email')),
  -- Whether others may change what the directory manages.
  on_local_change text not null check (on_local_change in ('refuse', 'allow')),
  -- Of people for whom the provider sends none.
  default_department text not null,
  default_position text not null,
  -- Which attributes fill which custom fields.
  field_mapping jsonb not null default '[]',
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index directories_company on directories (company_id, created_at, id);

-- Identity providers that people of a company sign in with. Looked up by a domain before anybody knows the company.
create table sign_in_connections (
  id uuid primary key,
  company_id uuid not null,
  name text not null,
  kind text not null check (kind in ('oidc', 'saml')),
  -- Of SAML, the entity ID.
  issuer text not null,
  client_id text,
  client_authentication text check (client_authentication in ('client_secret', 'private_key_jwt')),
  client_secret_encrypted bytea,
  -- Of SAML: where people are sent, what signatures are checked with, where both were read, and which attribute identifies a
  -- person; null for a persistent NameID.
  sso_url text,
  certificates text[],
  metadata_url text,
  metadata_read_at timestamptz(3),
  subject_attribute text,
  -- Of SAML: the end of the last certificate that admins were warned of.
  certificate_warned_for timestamptz(3),
  status text not null default 'draft' check (status in ('draft', 'enabled')),
  sign_in text not null check (sign_in in ('any', 'connection', 'connection_only')),
  -- Of single roles, in place of sign_in.
  sign_in_by_role jsonb not null default '{}',
  -- Whether acr, amr and auth_time of the provider count.
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

-- Keys that a connection authenticates with at its provider (private_key_jwt). All are published until they expire; the newest that
-- may already sign does.
create table sign_in_keys (
  id uuid primary key,
  connection_id uuid not null references sign_in_connections (id),
  company_id uuid not null,
  public_jwk jsonb not null,
  private_jwk_encrypted bytea not null,
  created_at timestamptz(3) not null default now(),
  signs_from timestamptz(3) not null,
  -- Null for the newest.
  expires_at timestamptz(3)
);
create index sign_in_keys_connection on sign_in_keys (connection_id, created_at);

-- Email domains of a connection, proven by a TXT record.
create table sign_in_domains (
  connection_id uuid not null references sign_in_connections (id),
  domain text not null,
  company_id uuid not null,
  -- What the record has to say.
  token text not null,
  verified_at timestamptz(3),
  checked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (connection_id, domain)
);
-- A proven domain leads to one connection.
create unique index sign_in_domains_proven on sign_in_domains (domain) where verified_at is not null;

-- Who a provider's subject is, since there was a proof of it. The user is one of the company alone.
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

-- People on their way to a SAML provider. Its response is posted without cookies of ours: it waits here until the browser that
-- was sent there comes for it.
create table sign_in_requests (
  relay_state_hash bytea primary key,
  connection_id uuid not null,
  -- Of the request, which the response has to name.
  request_id text not null,
  -- Sealed for the browser: what the person was sent for.
  begun text not null,
  -- Sealed: what the provider says, or why it was refused.
  outcome text,
  expires_at timestamptz(3) not null
);
create index sign_in_requests_expires_at on sign_in_requests (expires_at);

-- What a user granted a client, which is a connection: the scopes live in the grant artifact too, the ticked companies and the end
-- here. An installation outlives the account of the person who installed it, so the user is no foreign key.
create table oauth_grants (
  id text primary key,
  user_id uuid not null,
  client_id text not null references oauth_clients (id),
  company_ids uuid[] not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  -- As they were allowed.
  scopes text[] not null default '{}',
  -- When it ends by itself, at the latest.
  expires_at timestamptz(3),
  -- Of an installation, which belongs to one company and not to the person who installed the app: its role.
  installation_role text check (installation_role in ('admin', 'manager')),
  -- When the person signed in, as of its last code: a company's policy may ask to do so again after a while.
  signed_in_at timestamptz(3),
  -- On which it was allowed.
  device_id uuid,
  -- Of installations: since when it is suspended, because the role of the person who installed it is below its own; and since
  -- when admins are asked to confirm it, because that person was demoted or has left. An admin's confirmation clears both.
  suspended_at timestamptz,
  confirmation_requested_at timestamptz
);
create index oauth_grants_user on oauth_grants (user_id);
create index oauth_grants_companies on oauth_grants using gin (company_ids) where revoked_at is null;
create index oauth_grants_client on oauth_grants (client_id) where revoked_at is null;
create index oauth_grants_device on oauth_grants (device_id) where device_id is not null;

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

-- When, and from where, a connection was last used for a company: no other company is told. To the minute.
create table connection_uses (
  company_id uuid not null references companies (id),
  connection_id text not null,
  user_id uuid not null,
  last_used_at timestamptz(3) not null,
  last_ip inet,
  primary key (company_id, connection_id)
);

------------------------------------------------------------------------------------------ limits, files and the queue

-- How often something was tried: sign-ins, token requests. The key is a hash, `expire` is in milliseconds since 1970. What
-- a crash loses here is a count of minutes, so it need not survive one. The columns are those of rate-limiter-flexible.
create unlogged table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expiry on rate_limits (expire);

-- Requests of one minute, summed over all processes. Worth nothing after a crash. Room in each page, because a row is
-- written several times a second while its client is busy.
create unlogged table rate_limit_windows (
  -- The window, counted in minutes since 1970.
  minute integer not null,
  key text not null,
  points integer not null,
  changed_at timestamptz not null,
  -- Whether it has reached half of its limit: every process has to hear of those. They are few, so a process reads them by an index,
  -- and not all that was counted in the minute. Counts change without a change of the index until they get there.
  is_near boolean not null default false,
  primary key (minute, key)
) with (fillfactor = 50);
create index rate_limit_windows_near on rate_limit_windows (minute) where is_near;

-- How many mails a company has caused, so that none can have the service send as many as it likes.
create table mail_counts (
  company_id uuid primary key references companies (id),
  -- In UTC; the number is that of this day.
  day date not null,
  mails integer not null,
  -- When all of its mails have left, at the pace at which they may: later than now while it has many.
  busy_until timestamptz not null
);

-- Which store of files belongs to this database: an object in the store has the same mark. `marked_at` is null until it has.
create table file_store (
  is_only boolean primary key default true check (is_only),
  mark uuid not null,
  marked_at timestamptz(3)
);

-- Which jobs took their process with them. These tables are about moments: they need not survive a crash of the database, and are
-- not part of a backup.

-- Workers that run jobs, by the name under which they lock them, and when each was last seen alive.
create unlogged table worker_pools (
  id text primary key,
  seen_at timestamptz not null,
  -- The name of the session by which its process looks for work: while the database has it, the process lives.
  session text
);

-- How often a process ended while it ran a job. The job is one of the queue, which has its tables for itself.
create unlogged table job_deaths (
  job_id bigint primary key,
  deaths integer not null
);

--------------------------------------------------------------------------------------------------------- collaborators

create table collaborators (
  company_id uuid not null references companies (id),
  id uuid not null,
  -- Set when the person accepts an invitation, and by nothing else.
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
  -- The user who changed it last; null for the operator's command line and for a person who accepted an invitation.
  status_changed_by uuid,
  -- When the person first accepted an invitation: from then on an admin may switch them on and off.
  accepted_at timestamptz(3),
  -- When personal data was erased: only ids and times are left of the row, so that a client that synchronizes still learns that it
  -- is gone. Such a row is never restored.
  erased_at timestamptz(3),
  -- What the source system and the company call them, as written: upper and lower case differ.
  external_id text,
  employee_number text,
  -- The last day of employment, after which the worker deactivates the person.
  termination_date date,
  -- The date whose coming was announced, a week and a day before: each is announced once, and a new date again.
  termination_week_told date,
  termination_day_told date,
  -- The date after which the person was not deactivated, because they were the last admin: so it is recorded once.
  termination_held date,
  -- Values of the company's own fields, by key; null for nobody's. `custom_field_sets` says what each is.
  custom_fields jsonb,
  -- The import that added the person, for undoing it.
  import_id uuid,
  -- The directory that manages the person, and the fields it manages, by their names in the contract. Here, so that lists need no join.
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
-- The names in the audit log are those of the company's own records, deleted ones as well.
create index collaborators_user on collaborators (company_id, user_id) where user_id is not null;

create index collaborators_search on collaborators
  using gin (search_keys(company_id, search_text)) where deleted_at is null;
-- Nothing is planned by how often each key of the search index occurs, but to find out takes as long as all other
-- statistics of the table together, after every tenth row that changes.
alter index collaborators_search alter column 1 set statistics 0;

-- Sorted as people expect, without regard to case and accents, in an order that does not depend on the database's
-- locale. What an expression is made from is included: Postgres reads the ids of a page from an index alone only then.
create index collaborators_by_name on collaborators (company_id, (left(search_form(name), 200) collate "C"), id) include (name) where deleted_at is null;
create index collaborators_by_email on collaborators (company_id, (left(search_form(email), 200) collate "C"), id) include (email) where deleted_at is null;
create index collaborators_by_department on collaborators (company_id, (left(search_form(department), 200) collate "C"), id) include (department) where deleted_at is null;
create index collaborators_by_position on collaborators (company_id, (left(search_form(position), 200) collate "C"), id) include (position) where deleted_at is null;
create index collaborators_by_status on collaborators (company_id, status, id) where deleted_at is null;
-- Nobody was hired at infinity: unset dates come last, first in descending order.
create index collaborators_by_hire_date on collaborators
  (company_id, coalesce(hire_date, 'infinity'::date), id) include (hire_date) where deleted_at is null;
-- Deleted ones too: these two serve the delta sync.
create index collaborators_by_created_at on collaborators (company_id, created_at, id) include (deleted_at);
create index collaborators_by_updated_at on collaborators (company_id, updated_at, id) include (deleted_at);

-- Exact filters, each ready in the default order. With what the expression is made from, totals and skipped rows are read from the
-- index alone.
create index collaborators_filter_department on collaborators (company_id, lower(department), created_at, id) include (department)
  where deleted_at is null;
create index collaborators_filter_location on collaborators (company_id, lower(location), created_at, id) include (location)
  where location is not null and deleted_at is null;
create index collaborators_filter_status on collaborators (company_id, status, created_at, id) where deleted_at is null;
-- Nearly everybody is an employee: a search for those walks the order, and meets them.
create index collaborators_filter_role on collaborators (company_id, role, created_at, id)
  where role <> 'employee' and deleted_at is null;
create index collaborators_filter_manager on collaborators
  (company_id, manager_id, created_at, id) where deleted_at is null;

-- For what the worker looks for, and for the sweep, which asks whether an object is named.
create index collaborators_termination on collaborators (company_id, termination_date)
  where termination_date is not null and deleted_at is null and status <> 'inactive';
create index collaborators_deleted on collaborators (company_id, deleted_at)
  where deleted_at is not null and erased_at is null;
create index collaborators_avatar_key on collaborators (company_id, avatar_key) where avatar_key is not null;

-- The fields that a company has defined for its people, in their order: one row, so that the version says whether a process still
-- knows them as they are.
create table custom_field_sets (
  company_id uuid primary key references companies (id),
  -- Another one after each change.
  version uuid not null,
  definitions jsonb not null,
  -- Of those that are being deleted, how many people have been gone through, by key.
  progress jsonb not null default '{}'
);

-- What people who are not deleted have in unique fields, in the form in which it is compared.
create table custom_field_values (
  company_id uuid not null references companies (id),
  key text not null,
  value_text text not null,
  collaborator_id uuid not null,
  primary key (company_id, key, value_text)
);
create index custom_field_values_collaborator on custom_field_values (company_id, collaborator_id);

-- Append-only. `changes` is [{field, from, to}]. The time is that of writing, not of the transaction's start: entries of two
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
  -- Of entries about a document: whoever may not see documents of that type does not see the entry.
  document_type text,
  primary key (company_id, id)
);
create index collaborator_history_newest on collaborator_history (company_id, collaborator_id, timestamp desc, id desc);

-- How many collaborators a company has, kept up to date by each transaction that changes the number. A company's count
-- is the sum of its slots: writers take different slots, so that they do not wait for each other.
create table collaborator_counts (
  company_id uuid not null references companies (id),
  slot smallint not null,
  active integer not null default 0,
  inactive integer not null default 0,
  pending integer not null default 0,
  primary key (company_id, slot)
);

-- A link that lets one person in, once. The mailed secret is kept as its SHA-256 only.
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
-- Those that will expire, or have and nobody was told.
create index invitations_open on invitations (company_id, expires_at) where state = 'sent';

create table notification_preferences (
  company_id uuid not null references companies (id),
  collaborator_id uuid not null,
  -- What was set, without the defaults.
  preferences jsonb not null,
  updated_at timestamptz(3) not null default now(),
  primary key (company_id, collaborator_id)
);

-- Filters of the list of people that somebody gave a name, for themselves.
create table saved_views (
  company_id uuid not null references companies (id),
  collaborator_id uuid not null,
  id uuid not null,
  list text not null,
  name text not null,
  -- As the contract has them.
  filters jsonb not null,
  -- Null for the default order.
  sort text,
  -- In their order; null for those that the reader has chosen otherwise.
  columns text[],
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (company_id, collaborator_id, id)
);

-- What needs attention and was put off by an admin, for all admins.
create table snoozes (
  company_id uuid not null references companies (id),
  kind text not null,
  -- Of whatever it is: nothing refers to it, and it may be gone.
  item_id text not null,
  until timestamptz(3) not null,
  snoozed_by uuid not null,
  primary key (company_id, kind, item_id)
);

-- The people of a directory, as it described them. One that it took away stays for the day on which it is assigned again.
create table directory_people (
  company_id uuid not null references companies (id),
  directory_id uuid not null,
  collaborator_id uuid not null,
  user_name text not null,
  -- The provider's own key.
  external_id text,
  -- The resource as it was sent, without what follows from the record: names, texts and extensions that the record has no place for.
  attributes jsonb not null,
  -- Of a manager who had not come yet: an id, an external id or a user name.
  awaited_manager text,
  -- The role that groups gave, which they may take away again.
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
-- To find people who come back.
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
  -- What its members become in the company, as an admin decided; null for nothing.
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

-- What a directory was refused and has not set right since, at most one for each person or group.
create table directory_errors (
  company_id uuid not null references companies (id),
  directory_id uuid not null,
  id uuid not null,
  -- Who or what it was about: a user name, the name of a group, or an id.
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

-- Requests of a directory that came close together, counted. `ended_at` is null for the one that goes on.
create table directory_syncs (
  company_id uuid not null references companies (id),
  directory_id uuid not null,
  id uuid not null,
  started_at timestamptz(3) not null default now(),
  last_request_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  -- Of the newest request that was not refused.
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

-- What was answered to a request with an Idempotency-Key, for 24 hours. The key's hash covers client, method and path. Answers may
-- hold secrets (a new subscription's): they are sealed.
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

-- Documents of collaborators. The files themselves are objects in the storage: an object is written before the row that
-- names it, and removed after, so a row never names an object that is not there. What no row names is swept.
create table documents (
  company_id uuid not null references companies (id),
  id uuid not null,
  collaborator_id uuid not null,
  -- The object in the storage; null once the document was deleted, which frees the object.
  key text,
  name text not null,
  type text not null,
  -- Told from the content.
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

-- What happened, with the payload frozen at that moment: delivery never needs to know the feature again.
create table events (
  company_id uuid not null references companies (id),
  id uuid not null,
  name text not null,
  event_type text not null,
  -- The text it was: jsonb would lose the order of its keys. Null where an event has none.
  payload text,
  created_at timestamptz(3) not null default clock_timestamp(),
  idempotency_key text,
  -- The event's place among the company's, given after the commit: whoever reads on from a number misses no late commit.
  -- Null until then; 0 for what is not part of the company's events, a test.
  sequence bigint,
  -- The request that caused it, by which what it left for later can be followed back to it: {"request_id": …, "traceparent": …}. Null
  -- for what no request caused; the same in other tables.
  origin jsonb,
  primary key (company_id, id)
);
create index events_newest on events (company_id, created_at desc, id desc);
create unique index events_in_order on events (company_id, sequence) where sequence > 0;
create index events_unnumbered on events (company_id, created_at, id) where sequence is null;

-- The last number that a company gave to an event. Its row is the lock under which numbers are given.
create table event_sequences (
  company_id uuid not null references companies (id),
  last_sequence bigint not null default 0,
  primary key (company_id)
);

create table webhooks (
  company_id uuid not null references companies (id),
  id uuid not null,
  url text not null,
  -- Names, `namespace.*` or `*`.
  events text[] not null,
  description text,
  -- Sealed JSON: headers may hold keys of the receiver's.
  headers_encrypted bytea,
  payload_format text not null check (payload_format in ('envelope', 'flat')),
  -- Sealed JSON: [{secret, expires_at}], the newest first.
  secrets_encrypted bytea not null,
  status text not null default 'active' check (status in ('active', 'deactivated')),
  deactivated_at timestamptz(3),
  deactivation_reason text,
  consecutive_failures integer not null default 0,
  last_delivery_at timestamptz(3),
  last_success_at timestamptz(3),
  last_status_code smallint,
  -- Events that happened before are not sent, although they may be dispatched later.
  wanted_from timestamptz(3) not null default now(),
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- How many requests a second a receiver takes at most; null for as many as there are.
  max_per_second integer check (max_per_second between 1 and 1000),
  -- Where that is limited: up to when requests that were made count. The next is due then. To the microsecond.
  paced_until timestamptz,
  -- When the admins were last told that a subscription will be deactivated if it goes on failing.
  warned_at timestamptz(3),
  primary key (company_id, id)
) with (fillfactor = 50);
-- Across companies, for the metrics of the subscriptions that fail most.
create index webhooks_failing on webhooks (consecutive_failures desc)
  where status = 'active' and consecutive_failures > 0;

-- One event for one subscription. There are no foreign keys to either: rows come from one statement that read both, and
-- go with the log after 30 days, so that ending a subscription takes no longer for a long log.
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
  -- Attempts that failed since it was made, or made again: they decide about retries.
  failures smallint not null default 0,
  -- Whether a failed attempt may be followed by another; not so for tests, and for a single attempt by hand.
  retried boolean not null default true,
  -- Whether someone asked for the next attempt.
  manual boolean not null default false,
  -- Whether it is made again as part of a range, or of what was missed.
  replaying boolean not null default false,
  -- Pending, when the next attempt is due; delivering, since when it is under way. Null when it has ended.
  due_at timestamptz(3),
  last_status_code smallint,
  last_error_class text,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  -- How often a process ended during an attempt, since the last one that has a record: such a delivery is tried once more, by
  -- itself, then given up, before it has taken down all processes.
  deaths smallint not null default 0,
  -- Whether the attempt under way was the only one of its subscription when it began.
  is_alone boolean not null default false,
  -- Delivering: the job of the queue that sends it, and the run of that job. When no worker is at the job, the next one takes over.
  job_id bigint,
  turn_id uuid,
  primary key (company_id, id)
);
create unique index deliveries_once on deliveries (company_id, event_id, webhook_id);
create index deliveries_due on deliveries (company_id, webhook_id, due_at, event_id)
  where status in ('pending', 'delivering');
-- At which processes have died: looked for by each claim.
create index deliveries_suspected on deliveries (company_id, webhook_id, due_at)
  where status = 'pending' and deaths >= 2;
-- Counted before each claim, beside any number that wait.
create index deliveries_under_way on deliveries (company_id, webhook_id) where status = 'delivering';
-- Across companies, for what a crash left behind.
create index deliveries_overdue on deliveries (due_at) where status in ('pending', 'delivering');
create index deliveries_newest on deliveries (company_id, webhook_id, created_at desc, id desc);
create index deliveries_replaying on deliveries (company_id, webhook_id)
  where replaying and status in ('pending', 'delivering');
create index deliveries_age on deliveries (company_id, created_at);
-- The last that ended: what the figures of a subscription are made from, beside any number that wait.
create index deliveries_ended on deliveries (company_id, webhook_id, completed_at desc)
  where status in ('succeeded', 'failed');

-- One request, and what came of it: as far as the event and the time of the attempt do not tell it.
create table attempts (
  company_id uuid not null references companies (id),
  delivery_id uuid not null,
  number integer not null,
  manual boolean not null,
  started_at timestamptz(3) not null,
  duration_ms integer not null,
  status_code smallint,
  error_class text,
  -- The first 1,024 bytes of the answer's body, made readable; null without an answer.
  response_excerpt text,
  -- Where it was sent: the subscription may have another address by now.
  url text,
  -- Of the body alone, then one for each secret that was valid: 32 bytes each.
  signatures bytea,
  -- The names of the headers that were stored with the subscription, in their order; null for none. Never their values.
  header_names jsonb,
  -- [[name, value]]: the first ones of the answer, shortened, with values that may be secret masked; null without an answer.
  response_headers jsonb,
  -- Why there was no secure connection, as the TLS library names it, where that is known.
  error_detail text,
  -- When the next attempt was due; null where none was planned.
  next_attempt_at timestamptz(3),
  primary key (company_id, delivery_id, number)
);

--------------------------------------------------------------------------------------------------- imports and exports

-- Imports with their errors, and exports. Files are objects in the storage, as documents are: written before the row names
-- them, removed once none does.

create table imports (
  company_id uuid not null references companies (id),
  id uuid not null,
  filename text not null,
  -- Told from the content.
  format text not null check (format in ('xlsx', 'xls', 'xlsb', 'ods', 'csv')),
  size integer not null check (size > 0),
  sha256 bytea not null,
  -- The uploaded file; null once nothing needs it any more.
  key text,
  mode text not null check (mode in ('create', 'upsert')),
  on_error text not null check (on_error in ('continue', 'abort')),
  empty_cells text not null check (empty_cells in ('keep', 'clear')),
  send_invitations boolean not null,
  dry_run boolean not null,
  -- Which sheet to read, and which field a header means, where the caller said so: in the order in which they said it.
  sheet text,
  mapping json not null default '{}',
  -- Of the token that sent it or committed it: which fields it may write.
  may_write_salary boolean not null,
  -- Whether the people who started and committed it see the salaries that it may change. If one of them doesn't, a salary in
  -- the file counts as changed, so that the counts reveal nothing.
  may_read_salary boolean not null default false,
  -- As found in the file: [{column, header, field}]; empty until it has been read.
  columns jsonb not null default '[]',
  has_salaries boolean not null default false,
  status text not null default 'queued'
    check (status in ('queued', 'validating', 'needs_answers', 'processing', 'completed', 'completed_with_errors', 'failed',
      'cancelled')),
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
  -- Why the import as a whole failed, in English, and as a text with its values, so that each reader gets it in their language:
  -- {key, values, plural, joined} (src/contract/languages/text.ts).
  failure_message text,
  failure_said jsonb,
  -- The file with its errors, to be corrected.
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
  origin jsonb,
  -- Of each row of a file, in their order, how many stand above it once all rows are written: [0, 1, …]. Kept from the check
  -- until the end, for the order of writing and so the position in it must stay the same while the tree changes. Null where
  -- nobody who exists gets another manager: then the order follows from the file alone.
  row_levels jsonb,
  -- Whether a worker is at it. Set when it is taken, cleared when it is let go of: a worker that finds it set behind the end of the
  -- lease knows that the other died.
  is_held boolean not null default false,
  -- How many have died since it last got on, and in all: tried once more, then given up, before it has taken down all of them.
  deaths smallint not null default 0,
  deaths_total smallint not null default 0,
  -- Of a cancelled one: how often its report was begun, and until when a worker holds it for that.
  tidy_attempts smallint not null default 0,
  tidy_held_until timestamptz,
  -- When its stored errors were removed, because newer ones needed the room.
  errors_removed_at timestamptz(3),
  -- How the caller wants people to be found; null for the first of the ways that a row allows.
  match_by text check (match_by in ('id', 'external_id', 'employee_number', 'email')),
  -- How dates that are text are written, where the caller said so.
  date_order text check (date_order in ('dmy', 'mdy', 'ymd')),
  -- As a spreadsheet counts; null until the file has been read, and when it has no headers.
  header_row integer,
  -- What somebody should look at, [{code, message, column}]; empty until the file has been read.
  warnings jsonb not null default '[]',
  -- Which encoding a csv file is read in: said by the caller, or told from its content; and where that was not certain,
  -- what it would be otherwise: {sample, other_encoding, other_sample}. A dry run that is committed is read as it was shown.
  encoding text,
  encoding_guess jsonb,
  -- How the file is to be read, where the caller or an answer has said so: which sign stands before decimals, whether names
  -- that have a comma are turned round, what becomes of texts whose encoding was taken for another one, and of columns that are
  -- no field.
  decimal text check (decimal in ('comma', 'point')),
  name_order text check (name_order in ('as_written', 'family_first')),
  garbled_text text check (garbled_text in ('keep', 'repair')),
  unknown_columns text check (unknown_columns in ('refuse', 'ignore')),
  unknown_managers text not null default 'fail' check (unknown_managers in ('fail', 'warn')),
  -- What somebody has to say before the file can be checked: [{id, kind, column, said, choices}].
  questions jsonb not null default '[]',
  -- The tool whose file it looks like, as that calls itself.
  layout text,
  -- The first values of each column and the first people as they were understood: {samples, people}. They are of the file,
  -- and go with it.
  preview jsonb not null default '{"samples":{},"people":[]}',
  -- Who asked to undo it and when, how many people that has deleted, and who stayed: {kept, people}. While it is running,
  -- `undo_due_at` says from when on a worker may take it.
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
-- Those that have not ended: they have their turns by age, one at a time within a company.
create index imports_open on imports (company_id, created_at, id) where due_at is not null;
-- Across companies, for what a crash left behind.
create index imports_due on imports (due_at) where due_at is not null;
create index imports_age on imports (company_id, expires_at);
create index imports_undo_due on imports (undo_due_at) where undo_due_at is not null;
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
  -- In English, and as a text with its values.
  message text not null,
  said jsonb,
  -- What stands in the cell, shortened; null where there is no cell or nothing in it. It goes with its import.
  value text,
  primary key (company_id, import_id, row_number, number)
);

-- Whom a dry run met, by which field: what it says holds as long as these people are as they were.
create table import_matches (
  company_id uuid not null references companies (id),
  import_id uuid not null,
  field text not null default 'email' check (field in ('id', 'external_id', 'employee_number', 'email')),
  -- Of a person of the file, or of a manager: an address in lower case, anything else as it is written.
  value text not null,
  -- Null where nobody had it.
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
  -- What it shows: {collaborator_id} or {filters, sort} or {filters, group_by}.
  query jsonb not null,
  -- The scopes of the token it was made for that decide what is in it. Whoever fetches it needs them too.
  scopes text[] not null,
  -- The role it was made for. Somebody who has a lesser one by now does not fetch it.
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
  -- As in imports.
  failure_message text,
  failure_said jsonb,
  -- How often a worker began: after some times it has failed. And how many died at it.
  attempts smallint not null default 0,
  deaths smallint not null default 0,
  due_at timestamptz(3),
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  expires_at timestamptz(3) not null,
  origin jsonb,
  -- A mark of whom its reader reached when it was made: it ends when that is another. Null where the role says it.
  reach bytea,
  primary key (company_id, id),
  check ((due_at is null) = (status in ('completed', 'failed')))
) with (fillfactor = 50);
create unique index exports_key on exports (company_id, key);
create index exports_due on exports (due_at) where due_at is not null;
create index exports_age on exports (company_id, expires_at);
-- Whoever asked for exports lists them, the newest first.
create index exports_newest on exports (company_id, created_by, created_at desc, id desc);

--------------------------------------------------------------------------------------------------------- the audit log

-- Who did what in a company, and from where. Entries are added and read; the application's role may do nothing else to them
-- (privileges.ts), and removes old ones through the function below.
create table audit_log (
  company_id uuid not null references companies (id),
  -- Version 7: begins with the time of `at`, so the key is the order of the list.
  id uuid not null,
  at timestamptz(3) not null,
  -- The operationId of a request, or a word with a dot or an underscore in it.
  action text not null,
  -- What an installation or a directory does, it does itself: its id stands where that of a user stands.
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

-- The keys an entry is found by: each field that changed, within one company, as search_keys() does it.
create function audit_field_keys(company_id uuid, fields jsonb) returns bigint[]
  language sql immutable parallel safe strict
  return (
    select coalesce(array_agg(hashtextextended(field, uuid_hash_extended(company_id, 0))), '{}')
    from jsonb_array_elements_text(fields) field
  );
create index audit_log_changed_fields on audit_log
  using gin (audit_field_keys(company_id, details -> 'changed_fields')) where details -> 'changed_fields' is not null;

-- Removes entries of a company that are older than so many days, and never younger than 90, whatever it is asked for. It
-- acts as its owner, which may have taken the right to delete from itself: then it has it for this moment, which nobody
-- else sees, because both changes end with the same transaction.
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

--------------------------------------------------------------------------------------------- keys between tenant tables

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

-- Status with its reason and author, invitations, and the single-use tokens behind mailed links.

alter table collaborators
  add column status_since timestamptz(3) not null default now(),
  add column status_reason text,
  -- The user who changed it last; null for the operator's command line and for who accepted an invitation.
  add column status_changed_by uuid,
  -- When the person first accepted an invitation: from then on an admin may switch them on and off.
  add column accepted_at timestamptz(3);

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

-- Links to choose a new password.
create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users (id),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index password_resets_user on password_resets (user_id, created_at);

-- How often something was tried: sign-ins, token requests. The key is a hash, `expire` is in milliseconds since 1970. What
-- a crash loses here is a count of minutes, so it need not survive one. The columns are those of rate-limiter-flexible.
create unlogged table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expiry on rate_limits (expire);

-- For a search by the user whose access ends: which companies they are a member of stands in memberships already.
create index memberships_company on memberships (company_id, collaborator_id);

alter table invitations
  add constraint invitations_collaborator_fkey foreign key (company_id, collaborator_id)
  references collaborators (company_id, id);

-- A connection is what somebody allowed an app: a grant. It is shown to the companies that it was allowed for.
alter table oauth_grants
  -- As they were allowed.
  add column scopes text[] not null default '{}',
  -- When it ends by itself, at the latest.
  add column expires_at timestamptz(3);
create index oauth_grants_companies on oauth_grants using gin (company_ids) where revoked_at is null;
create index oauth_grants_client on oauth_grants (client_id) where revoked_at is null;

-- When, and from where, a connection was last used for a company: no other company is told. To the minute.
create table connection_uses (
  company_id uuid not null references companies (id),
  connection_id text not null,
  user_id uuid not null,
  last_used_at timestamptz(3) not null,
  last_ip inet,
  primary key (company_id, connection_id)
);

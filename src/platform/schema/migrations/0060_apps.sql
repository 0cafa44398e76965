-- Apps: clients that companies register themselves. A client of the operator belongs to no company.
alter table oauth_clients
  add column company_id uuid,
  add column description text,
  add column logo_url text,
  add column website text,
  -- Those that it may ask for; null for all there are.
  add column scopes text[],
  add column visibility text not null default 'company' check (visibility in ('company', 'everyone')),
  -- By the operator, for people of other companies.
  add column approved_at timestamptz(3),
  -- Secrets before the newest one that may not have expired: [{"hash": base64url of the SHA-256, "expires_at": time}].
  add column earlier_secrets jsonb not null default '[]',
  add column created_by uuid,
  add column updated_at timestamptz(3) not null default now();
create index oauth_clients_company on oauth_clients (company_id, created_at, id) where company_id is not null;

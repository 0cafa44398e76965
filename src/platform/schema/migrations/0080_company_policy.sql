-- What admins set for their company: its language, and its policy for signing in, of which only what was set is stored.

alter table companies
  add column locale text,
  add column policy jsonb not null default '{}',
  -- Grows with each change, so that nobody overwrites a change that they have not seen.
  add column revision integer not null default 1,
  -- Null as long as nothing has changed since the company was made.
  add column updated_at timestamptz(3);

-- Events on their way to subscribers: the outbox, the order of events, subscriptions, deliveries and their attempts.

-- The payload stays the text it was: jsonb would lose the order of its keys. Null where an event has none.
alter table events
  alter column payload type text using payload::text,
  add column idempotency_key text,
  -- The event's place among the company's, given after the commit: whoever reads on from a number misses no late commit.
  -- Null until then; 0 for what is not part of the company's events, a test.
  add column sequence bigint;
create unique index events_in_order on events (company_id, sequence) where sequence > 0;
create index events_unnumbered on events (company_id, created_at, id) where sequence is null;

-- The last number that a company gave to an event. Its row is the lock under which numbers are given.
create table event_sequences (
  company_id uuid not null references companies (id),
  last_sequence bigint not null default 0,
  primary key (company_id)
);

-- Companies with new events. Not a tenant table: it is read across companies, and each row lives for moments.
create table outbox (
  id bigint generated always as identity primary key,
  company_id uuid not null references companies (id)
);
create index outbox_company on outbox (company_id, id);
insert into outbox (company_id) select distinct company_id from events;

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
  primary key (company_id, id)
) with (fillfactor = 50);

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
  -- When somebody has to act: pending, when the next attempt is due; delivering, when the lease of the attempt ends, and
  -- whoever comes next takes it over. Null when it has ended.
  due_at timestamptz(3),
  last_status_code smallint,
  last_error_class text,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  primary key (company_id, id)
);
create unique index deliveries_once on deliveries (company_id, event_id, webhook_id);
create index deliveries_due on deliveries (company_id, webhook_id, due_at, event_id)
  where status in ('pending', 'delivering');
-- Counted before each claim, beside any number that wait.
create index deliveries_under_way on deliveries (company_id, webhook_id) where status = 'delivering';
-- Across companies, for what a crash left behind.
create index deliveries_overdue on deliveries (due_at) where status in ('pending', 'delivering');
create index deliveries_newest on deliveries (company_id, webhook_id, created_at desc, id desc);
create index deliveries_replaying on deliveries (company_id, webhook_id)
  where replaying and status in ('pending', 'delivering');
create index deliveries_age on deliveries (company_id, created_at);

-- One request, and what came of it.
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
  primary key (company_id, delivery_id, number)
);

-- Stored answers may hold secrets now (a new subscription's): they are sealed. Those of before are forgotten.
delete from idempotency_keys;
alter table idempotency_keys drop column body, add column body_encrypted bytea;

-- Invitations that will expire, or have and nobody was told.
create index invitations_open on invitations (company_id, expires_at) where state = 'sent';

alter table attempts
  add constraint attempts_delivery_fkey foreign key (company_id, delivery_id)
  references deliveries (company_id, id) on delete cascade;

-- Who has claimed a delivery: the leases of a process that is gone take no places of its subscription.
alter table deliveries add column courier_id uuid;

-- Processes that send webhooks, and when each was last seen. About moments, as `worker_pools`: no part of a backup.
create unlogged table couriers (
  id uuid primary key,
  seen_at timestamptz not null
);

-- The last that ended: what the figures of a subscription are made from, beside any number that wait.
create index deliveries_ended on deliveries (company_id, webhook_id, completed_at desc)
  where status in ('succeeded', 'failed');

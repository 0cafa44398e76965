-- Across companies, for the metrics of the subscriptions that fail most.
create index webhooks_failing on webhooks (consecutive_failures desc)
  where status = 'active' and consecutive_failures > 0;

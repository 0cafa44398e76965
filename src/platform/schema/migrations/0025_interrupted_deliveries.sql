-- Deliveries at which processes die: tried once more, by themselves, then given up, before they have taken down all of them.
alter table deliveries
  -- How often the lease of an attempt ended without a record, since the last one that has a record.
  add column deaths smallint not null default 0,
  -- Whether the attempt under way was the only one of its subscription when it began.
  add column is_alone boolean not null default false;

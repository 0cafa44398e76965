-- How many requests a second a receiver takes at most; null for as many as there are.
alter table webhooks add column max_per_second integer check (max_per_second between 1 and 1000);
-- Where that is limited: up to when requests that were made count. The next is due then. To the microsecond.
alter table webhooks add column paced_until timestamptz;

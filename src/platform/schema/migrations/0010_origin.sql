-- Where work came from, so that what a request left for later can be followed back to it: the request's id and its place
-- in a trace, as {"request_id": …, "traceparent": …}. Null for what no request caused.
alter table events add column origin jsonb;
alter table imports add column origin jsonb;
alter table exports add column origin jsonb;

-- How long events have waited to be dispatched.
alter table outbox add column created_at timestamptz(3) not null default now();

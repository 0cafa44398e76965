-- When the admins were last told that a subscription will be deactivated if it goes on failing.
alter table webhooks add column warned_at timestamptz(3);

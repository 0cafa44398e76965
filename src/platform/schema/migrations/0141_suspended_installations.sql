-- Of installations: since when nothing is done for one, because the role of the person who installed it is below its own; and since
-- when the admins are asked whether it goes on, because that person was demoted or has left. Both end when an admin confirms it.
alter table oauth_grants
  add column suspended_at timestamptz,
  add column confirmation_requested_at timestamptz;

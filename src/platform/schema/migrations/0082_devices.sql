-- Browsers that somebody signs in with, and what is open in each. All of it belongs to users, so on a cluster it is on the coordinator.

create table user_devices (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- SHA-256 of what its cookie says.
  device_hash bytea not null,
  -- As people call it, such as "Firefox, Windows"; null for one that is neither a known browser nor on a known system.
  words text,
  last_ip inet,
  created_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now(),
  -- When the person signed it out. It is known no more: its next sign-in is told as that of a new device.
  signed_out_at timestamptz(3)
);
create unique index user_devices_key on user_devices (user_id, device_hash);
create index user_devices_seen on user_devices (last_seen_at);

-- The sessions of browsers, by the hash that `oauth_artifacts` has of them.
create table user_sessions (
  uid_hash bytea primary key,
  user_id uuid not null references users (id),
  device_id uuid not null,
  created_at timestamptz(3) not null default now()
);
create index user_sessions_device on user_sessions (device_id);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_age on user_sessions (created_at);

-- The device that a connection was allowed on.
alter table oauth_grants add column device_id uuid;
create index oauth_grants_device on oauth_grants (device_id) where device_id is not null;

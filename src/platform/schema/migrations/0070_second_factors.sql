-- What people sign in with besides a password. All of it belongs to users, so on a cluster it is on the coordinator.

-- Apps that show a new code every 30 seconds (RFC 6238).
create table totp_factors (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null,
  secret_encrypted bytea not null,
  -- The time step of the last code that was taken: no code of this step or an earlier one is taken again.
  last_step bigint not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create index totp_factors_user on totp_factors (user_id);

-- WebAuthn credentials; what is kept of each is public, its private key never leaves the device.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null,
  credential_id bytea not null,
  public_key bytea not null,
  -- How often the device says that it has signed; 0 for those that do not count.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3)
);
create unique index passkeys_credential_key on passkeys (credential_id);
create index passkeys_user on passkeys (user_id);

-- SHA-256 over the user and the code, which has 120 random bits.
create table recovery_codes (
  user_id uuid not null references users (id),
  code_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  used_at timestamptz(3),
  primary key (user_id, code_hash)
);

-- Challenges that a passkey has answered, until they would have expired: none is answered twice.
create table used_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index used_challenges_expiry on used_challenges (expires_at);

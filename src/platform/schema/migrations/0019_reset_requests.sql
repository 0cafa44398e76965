-- Who asked for a link to set a new password, as a keyed hash of the device or the network: what strangers ask for does not use
-- up the links of a device that has signed in before.
alter table password_resets
  add column requested_by bytea,
  add column known_device boolean not null default false;

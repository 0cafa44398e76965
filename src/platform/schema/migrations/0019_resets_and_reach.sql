-- Who asked for a link to set a new password, as a keyed hash of the device or the network: what strangers ask for does not use
-- up the links of a device that has signed in before.
alter table password_resets
  add column requested_by bytea,
  add column known_device boolean not null default false;

-- A mark of whom the reader of an export reached when it was made: it ends when that is another. Null where the role says it.
alter table exports add column reach bytea;

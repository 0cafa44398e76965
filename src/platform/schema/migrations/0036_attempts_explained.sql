-- What an attempt sent and was answered, as far as the event and the time of the attempt do not tell it. All are null for
-- attempts of before.
alter table attempts
  -- Where it was sent: the subscription may have another address by now.
  add column url text,
  -- Of the body alone, then one for each secret that was valid: 32 bytes each.
  add column signatures bytea,
  -- The names of the headers that were stored with the subscription, in their order; null for none. Never their values.
  add column header_names jsonb,
  -- [[name, value]]: the first ones of the answer, shortened, with values that may be secret masked; null without an answer.
  add column response_headers jsonb,
  -- Why there was no secure connection, as the TLS library names it, where that is known.
  add column error_detail text,
  -- When the next attempt was due; null where none was planned.
  add column next_attempt_at timestamptz(3);

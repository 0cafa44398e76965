-- When the person signed in whose grant it is, as of its last code: a company's policy may ask to do so again after a while. Null for
-- grants of before, which were given just after the sign-in.

alter table oauth_grants add column signed_in_at timestamptz(3);

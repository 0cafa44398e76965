-- People whose personal data was erased: of the row only ids and times are left, so that who synchronises still learns
-- that they are gone. Such a row is never restored.
alter table collaborators add column erased_at timestamptz(3);

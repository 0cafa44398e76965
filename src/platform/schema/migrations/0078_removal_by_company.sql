-- What is removed after a time is removed by company: each looks at its own, and at nothing that is still kept.

-- By age alone, each company looked at what all of them had to remove.
drop index idempotency_keys_age;
create index idempotency_keys_age on idempotency_keys (company_id, created_at);

-- Without an index, every hour every document was looked at, and every night every person.
create index documents_deleted on documents (company_id, deleted_at) where deleted_at is not null;
create index collaborators_deleted on collaborators (company_id, deleted_at)
  where deleted_at is not null and erased_at is null;

-- Whoever asked for exports lists them, the newest first.
create index exports_newest on exports (company_id, created_by, created_at desc, id desc);

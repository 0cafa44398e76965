-- The outbox by company, as everything else that a transaction of a company writes: so it can be distributed with the rest.
-- Its key takes the place of the index beside it.
alter table outbox drop constraint outbox_pkey, add primary key (company_id, id);
drop index outbox_company;

-- A row lives for moments, and is written in each transaction that has events, beside rows that name the same company: to
-- look the company up once more is work for nothing.
alter table outbox drop constraint outbox_company_id_fkey;

-- What others call a person: the system that the record comes from, and the company. Each is unique within the company among
-- those who are not deleted, as written: upper and lower case differ.

alter table collaborators
  add column external_id text,
  add column employee_number text;
create unique index collaborators_external_id_key on collaborators (company_id, external_id)
  where external_id is not null and deleted_at is null;
create unique index collaborators_employee_number_key on collaborators (company_id, employee_number)
  where employee_number is not null and deleted_at is null;

-- The last day of employment, after which the worker deactivates the person; and the time zone in which a company's days begin.
alter table companies add column time_zone text not null default 'UTC';

alter table collaborators
  add column termination_date date,
  -- The date of which was told, a week and a day before, that it comes: so each is told once, and again of a new date.
  add column termination_week_told date,
  add column termination_day_told date,
  -- The date after which the person was not deactivated, because they were the last admin: so it is recorded once.
  add column termination_held date;
create index collaborators_termination on collaborators (company_id, termination_date)
  where termination_date is not null and deleted_at is null and status <> 'inactive';

-- Nine tenths of a person on disk were indexes, each written anew by every change. These were more than the statements need.

-- Nearly everybody is an employee: who looks for those walks the order, and meets them.
drop index collaborators_filter_role;
create index collaborators_filter_role on collaborators (company_id, role, created_at, id)
  where role <> 'employee' and deleted_at is null;

-- People without an account had entries as well.
drop index collaborators_user_key;
create unique index collaborators_user_key on collaborators (company_id, user_id)
  where user_id is not null and deleted_at is null;

-- People of one import were added at the same moment: without their ids, which differ, such a moment stands in the index once.
-- The few of the same moment are sorted by id when they have been found.
drop index collaborators_filter_department;
create index collaborators_filter_department on collaborators (company_id, lower(department), created_at)
  where deleted_at is null;
drop index collaborators_filter_location;
create index collaborators_filter_location on collaborators (company_id, lower(location), created_at)
  where location is not null and deleted_at is null;

-- Until when a worker holds a cancelled import that it tidies up; past or null where nobody is at it.
alter table imports add column tidy_held_until timestamptz;

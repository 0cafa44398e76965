-- Which counts every process has to hear of: those that have reached half of their limit. They are few, so a process reads them
-- by this index, and not all that was counted in the minute. Counts change without a change of the index until they get there.

alter table rate_limit_windows add column is_near boolean not null default false;
create index rate_limit_windows_near on rate_limit_windows (minute) where is_near;

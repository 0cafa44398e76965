-- Whether those who started and committed an import see the salaries that it may change. Where one of them does not, a salary in the
-- file counts as changed, so that the counts tell nothing.
alter table imports add column may_read_salary boolean not null default false;

-- Which jobs took their process with them. Both tables are about moments: they need not survive a crash of the database,
-- and are not part of a backup.

-- Workers that run jobs, by the name under which they lock them, and when each was last seen alive.
create unlogged table worker_pools (
  id text primary key,
  seen_at timestamptz not null
);

-- How often a process ended while it ran a job. The job is one of the queue, which has its tables for itself.
create unlogged table job_deaths (
  job_id bigint primary key,
  deaths integer not null
);

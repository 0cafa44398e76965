-- Which store of files belongs to this database: an object in the store has the same mark. `marked_at` is null until it has.

create table file_store (
  is_only boolean primary key default true check (is_only),
  mark uuid not null,
  marked_at timestamptz(3)
);

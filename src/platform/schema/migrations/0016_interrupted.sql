-- Imports and exports during which processes died: tried once more, then given up, before they have taken down all of them.

alter table imports
  -- Whether a worker is at it. Set when it is taken, cleared when it is let go of: who finds it set behind the end of the
  -- lease knows that the worker died.
  add column is_held boolean not null default false,
  -- How many have died since it last got on, and in all.
  add column deaths smallint not null default 0,
  add column deaths_total smallint not null default 0,
  -- Of a cancelled one: how often its report was begun.
  add column tidy_attempts smallint not null default 0;

alter table exports
  add column deaths smallint not null default 0;

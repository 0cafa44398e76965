-- What a company may have at most: limits of its own, by name; without one that of the settings.

alter table companies add column quotas jsonb not null default '{}';

-- When the stored errors of an import were removed, because newer ones needed the room.
alter table imports add column errors_removed_at timestamptz(3);

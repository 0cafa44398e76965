-- Of each row of a file, in their order, how many stand above it once all rows are written: [0, 1, …]. Kept from the check
-- until the end, for the order of writing and so the position in it must stay the same while the tree changes. Null where
-- nobody who exists gets another manager, and for what was checked before this column was there: then the order follows
-- from the file alone.
alter table imports add column row_levels jsonb;

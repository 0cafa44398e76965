-- What is wrong with a row as a text with its values, so that each reader gets it in their language: {key, values, plural}
-- (src/contract/languages/text.ts). Errors from before have none and are shown as they stand in `message`, which is English.

alter table import_errors add column said jsonb;

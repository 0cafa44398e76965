-- Why an import or an export as a whole failed, as a text with its values, so that each reader gets it in their language:
-- {key, values, plural, joined} (src/contract/languages/text.ts). What failed before has none, and is shown as it stands in
-- `failure_message`, which is English.

alter table imports add column failure_said jsonb;
alter table exports add column failure_said jsonb;

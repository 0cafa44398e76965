/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { fieldLabels } from '../../parts/names.ts';
import { t } from '../../parts/translate.ts';

export const statusNames = () => ({
  queued: t`Waiting`,
  processing: t`Creating`,
  completed: t`Ready`,
  failed: t`Failed`,
});

export const kindNames = () => ({
  list: t`List of people`,
  group: t`In groups`,
  individual: t`One person`,
  personal_data: t`All data about one person`,
});

export const partNames = () => ({
  salary: t`salaries`,
  emergency_contact: t`emergency contacts`,
  documents: t`documents`,
  history: t`history`,
});

export const kindHints = () => ({
  list: t`Everyone who matches below, in one table that can be imported again.`,
  group: t`A workbook with a sheet for each group and a summary, which can be imported again.`,
  individual: t`The profile, the list of documents and the history.`,
  personal_data: t`An archive for a person's data request: documents, photo, history, sign-ins and more.`,
});

export const delimiterNames = () => ({
  comma: t`Commas, with a decimal point: 1250.50`,
  semicolon: t`Semicolons, with a decimal comma: 1250,50`,
});

export const columnNames = () => ({
  ...fieldLabels(),
  avatar_url: t`Photo`,
  created_at: t`Created at`,
  updated_at: t`Updated at`,
});

export const formatNames = () => ({
  xlsx: 'Excel',
  csv: 'CSV',
  json: 'JSON',
});

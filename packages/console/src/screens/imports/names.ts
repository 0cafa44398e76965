/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { t } from '../../parts/translate.ts';

export const dateOrderNames = () => ({
  dmy: t`day first, 29/02/2024`,
  mdy: t`month first, 02/29/2024`,
  ymd: t`year first, 24-02-29`,
});

export const headerErrors = () => ({
  field_not_allowed: t`No field has this name. Choose one, or ignore the column.`,
  unclear_dates: t`Its dates can be read in more than one way. Choose the date format below.`,
});

export const stateNames = () => ({
  queued: t`Queued`,
  validating: t`Checking`,
  processing: t`Importing`,
  checked: t`Checked, not imported yet`,
  'checked-errors': t`Checked, with errors`,
  completed: t`Imported`,
  'completed-errors': t`Imported, without some rows`,
  failed: t`Failed`,
  question: t`Waiting for your input`,
  cancelled: t`Stopped`,
  discarded: t`Discarded`,
});

export const modeNames = () => ({
  create: t`Add new people`,
  upsert: t`Update existing people and add the others`,
});

export const failureNames = () => ({
  unreadable: t`The columns of the file are unclear`,
  insufficient_scope: t`You can't write salaries here`,
  'no-table': t`The file can't be read as a table of people`,
  aborted: t`Nothing was imported: some rows have errors`,
  forbidden: t`The person who started it can't import anymore`,
  interrupted: t`The service stopped while it worked on this file`,
  quota_exceeded: t`Employee limit reached`,
  internal_error: t`Something went wrong in the service`,
});

export const failureAdvice = () => ({
  unreadable: t`Choose the field of each column below, or fix the file and drop it again. No rows have been checked yet.`,
  insufficient_scope: t`Ignore the salary column below, or sign in again with permission to write salaries. No rows have been checked yet.`,
  'no-table': t`Fix the file, or fill in the template, and drop it again. Nothing was written.`,
  aborted: t`Fix these rows and drop the file again.`,
  forbidden: t`Rows that were already imported stay. Import the rest again.`,
  interrupted: t`Drop the file again. If it fails once more, tell the operator of the service.`,
  quota_exceeded: t`Import fewer people, or ask the operator of the service for a higher limit.`,
  internal_error: t`Drop the file again. If it fails once more, tell the operator of the service.`,
});

export const stateTexts = () => ({
  checked: t`No errors found. Nothing has been written yet.`,
  'checked-errors': t`Some rows have errors. Nothing has been written yet: fix them, or import the others without them.`,
  completed: t`All rows were imported.`,
  'completed-errors': t`Rows with errors were skipped. Fix them and import them separately.`,
  cancelled: t`Someone stopped it. Rows that were already written stay.`,
  discarded: t`Nothing was written. Drop the file again to check it once more.`,
  failed: t`The import failed.`,
  question: t`There is a question about the file.`,
  queued: t`Waiting for other imports to finish.`,
  validating: t`The file is being checked.`,
  processing: t`The file is being imported.`,
});

export const statusNames = () => ({
  queued: t`Waiting`,
  validating: t`Checking`,
  processing: t`Importing`,
  completed: t`Completed`,
  completed_with_errors: t`Completed with errors`,
  failed: t`Failed`,
  cancelled: t`Stopped`,
});

/** Reasons why an undo keeps a person. */
export const undoReasons = () => ({
  changed: t`changed since the import`,
  has_reports: t`manages someone who stays`,
  already_deleted: t`already deleted`,
  forbidden: t`the person who asked for it can't import anymore`,
});

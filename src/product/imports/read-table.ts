/** Reads the file of an import. An unreadable file fails the import; an ambiguous one leads to questions. */
import { buffer } from 'node:stream/consumers';
import { sentences, type Text } from '../../contract/languages/text.ts';
import { readFields } from '../../identity/members/company-fields.ts';
import { ReaderError, SheetError } from '../../platform/sheets/model/error.ts';
import { failed, finishImport } from './finish-import.ts';
import type { ImportRun } from './import-run.ts';
import { interpretationColumns } from './rows/people/interpretation.ts';
import type { PeopleTable } from './rows/people/people-table.ts';
import { readPeople } from './rows/people/read-people.ts';
import type { ImportRow } from './state/find-import.ts';
import { lockClaimed } from './state/import-lease.ts';
import { maxFailure } from './state/import-response.ts';
import { type AnswerableError, type Question, storedQuestion } from './state/questions.ts';
import { addErrors, type RowError } from './state/row-errors.ts';

/** @returns undefined if the file isn't a table of people; the import has then failed */
export async function readTable(run: ImportRun, row: ImportRow, signal: AbortSignal): Promise<PeopleTable | undefined> {
  const { storage, sheets } = run;
  const bytes = await buffer(await storage.read(row.key!));
  try {
    const fields = await readFields(run.tenant);
    const table = await readPeople(sheets, bytes, { ...row, fields }, signal);
    if (table.errors.length === 0) return table;
    const questions = questionsOf(table.errors);
    if (questions && row.dry_run) await pauseForAnswers(run, row, table, questions);
    else await refuseFile(run, row, messageOf(table.errors), table.errors, table);
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    if (error.cause instanceof ReaderError) {
      const about = { company_id: run.tenant.company_id, import_id: row.id, err: error.cause };
      run.log.error(about, 'the file of an import could not be read because of a bug');
    }
    await refuseFile(run, row, error.text, errorsOfFile(error));
  }
  return undefined;
}

/** @returns the distinct questions, if answers would fix all errors */
function questionsOf(errors: readonly AnswerableError[]): Question[] | undefined {
  const questions = new Map(errors.flatMap(({ question }) => (question ? [[question.id, question] as const] : [])));
  return errors.every(({ question }) => question) ? [...questions.values()] : undefined;
}

/** Pauses the import for answers, and keeps the file. */
async function pauseForAnswers(
  run: ImportRun,
  row: ImportRow,
  table: PeopleTable,
  questions: readonly Question[],
): Promise<void> {
  await run.tenant.transaction(async (tx) => {
    await lockClaimed(tx, row, row.status);
    await tx
      .updateTable('imports')
      .set({
        status: 'needs_answers',
        questions: JSON.stringify(questions.map(storedQuestion)),
        rows_total: table.rows.length,
        has_salaries: table.has_salaries,
        ...interpretationColumns(table),
        due_at: null,
        attempts: 0,
        is_held: false,
      })
      .where('id', '=', row.id)
      .execute();
  });
}

function messageOf(errors: readonly RowError[]): Text {
  let chars = 0;
  const included = errors.filter(({ message }) => {
    const hasRoom = chars < maxFailure;
    chars += String(message).length;
    return hasRoom;
  });
  return sentences(...included.map(({ message }) => message));
}

function errorsOfFile({ code, text: message, details }: SheetError): RowError[] {
  const { row, column = null } = details;
  if (row === undefined) return [];
  return [{ row, column, field: null, code: code === 'damaged' ? 'invalid_format' : 'too_long', message }];
}

/** A missing scope, not an error of the file. */
function isScopeError({ field, code }: RowError): boolean {
  return field === 'salary' && code === 'field_not_allowed';
}

async function refuseFile(
  run: ImportRun,
  row: ImportRow,
  message: Text,
  errors: readonly RowError[],
  table?: PeopleTable,
): Promise<void> {
  await run.tenant.transaction(async (tx) => {
    await lockClaimed(tx, row, row.status);
    await tx.deleteFrom('import_errors').where('import_id', '=', row.id).execute();
    await addErrors(tx, row.id, errors);
    await tx
      .updateTable('imports')
      .set({ error_count: errors.length, ...interpretationColumns(table) })
      .where('id', '=', row.id)
      .execute();
  });
  const reason = table?.errors.every(isScopeError) ? 'insufficient_scope' : 'unreadable';
  await finishImport(run, row, { ...failed(reason, message), report_key: null });
}

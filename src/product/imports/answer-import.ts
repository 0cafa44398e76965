/** Applies answers to an import's questions as if the request had contained them, and reads the file again. */
import { sql } from 'kysely';
import { t } from '../../contract/languages/text.ts';
import { type FieldErrors, Problem, validationError } from '../../contract/problem.ts';
import { listFromStored } from '../../contract/stored.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { type ImportRow, importRowColumns, lockImport } from './state/find-import.ts';
import { questionViews } from './state/questions.ts';
import { wakeImports } from './state/wake-imports.ts';

const options = ['date_order', 'decimal', 'sheet', 'name_order', 'garbled_text'] as const;

type Options = Partial<Record<(typeof options)[number], string>>;

/** @throws 400 for an unknown question or choice, 404 if it was removed meanwhile, 409 if it has no questions */
export async function answerImport(
  tx: TenantTransaction,
  id: string,
  answers: Readonly<Record<string, string>>,
): Promise<ImportRow> {
  const row = await lockImport(tx, id);
  if (row.status !== 'needs_answers') throw new Problem(409, 'conflict', t`This import has no questions to answer.`);
  rejectUnknownAnswers(row, answers);
  const chosenOptions: Options = Object.fromEntries(
    options.flatMap((name) => (answers[name] ? [[name, answers[name]]] : [])),
  );
  const updated = await tx
    .updateTable('imports')
    .set({
      ...chosenOptions,
      mapping: JSON.stringify({ ...(row.mapping as object), ...mappingOf(row, answers) }),
      status: 'queued',
      questions: '[]',
      due_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .returning(importRowColumns)
    .executeTakeFirstOrThrow();
  await wakeImports(tx.raw, tx.company_id);
  return updated;
}

function rejectUnknownAnswers(row: ImportRow, answers: Readonly<Record<string, string>>): void {
  const questions = questionViews(row.questions, 'en');
  const errors: FieldErrors = {};
  for (const [id, answer] of Object.entries(answers)) {
    const question = questions.find((each) => each.id === id);
    const field = `answers.${id}`;
    if (!question) errors[field] = [{ code: 'field_not_allowed', message: t`The import has no such question.` }];
    else if (!question.choices.some((choice) => choice.answer === answer)) {
      const choices = question.choices.map((choice) => choice.answer).join(', ');
      errors[field] = [{ code: 'not_in_enum', message: t`Must be one of these: ${choices}.` }];
    }
  }
  if (Object.keys(errors).length > 0) throw validationError(errors);
}

function mappingOf(row: ImportRow, answers: Readonly<Record<string, string>>): Record<string, string | null> {
  const headers = new Map(listFromStored('ImportColumn', row.columns).map(({ column, header }) => [column, header]));
  const mapping: Record<string, string | null> = {};
  for (const { id, kind, choices } of questionViews(row.questions, 'en')) {
    const answer = answers[id];
    if (kind !== 'column' || answer === undefined) continue;
    const field = id.slice('column:'.length);
    const columns = listFromStored('ImportColumn', row.columns);
    for (const { answer: column } of choices) {
      const isOther = columns.some((each) => each.column === column && each.field === field);
      if (isOther || column === answer) mapping[headers.get(column)!] = column === answer ? field : null;
    }
    const first = columns.find((each) => each.field === field);
    if (first && first.column !== answer) mapping[first.header] = null;
  }
  return mapping;
}

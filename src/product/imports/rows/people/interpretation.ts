/** The interpretation of a file, as stored with its import. */
import { t, tn } from '../../../../contract/languages/text.ts';
import { columnLetter } from '../../../../platform/sheets/model/letters.ts';
import { noPreview } from '../../state/stored-preview.ts';
import { type ImportWarning, storedWarning } from '../../state/warnings.ts';
import { encodingColumns } from '../columns/file-encoding.ts';
import { previewOf } from './create-preview.ts';
import type { PeopleTable } from './people-table.ts';

export function leaverWarning(table: PeopleTable, [first, ...others]: readonly number[]): ImportWarning {
  const column = columnLetter(table.fieldColumns.get('termination_date') ?? table.fieldColumns.get('status')!);
  const message = tn(
    others.length + 1,
    t`The person in row ${first!} has left already: they are added as inactive and not invited.`,
    t`The person in row ${first!} and others have left already, ${others.length + 1} in all: these people are added as inactive and not invited.`,
  );
  return { code: 'already_left', message, column };
}

export function managerWarning([first, ...others]: readonly number[]): ImportWarning {
  const message = tn(
    others.length + 1,
    t`The manager in row ${first!} wasn’t found: this person is imported without one.`,
    t`The managers in row ${first!} and others weren’t found, ${others.length + 1} in all: these people are imported without one.`,
  );
  return { code: 'manager_not_found', message, column: null };
}

/** @param table undefined if the file couldn't be read as a table */
export function interpretationColumns(table: PeopleTable | undefined) {
  return {
    header_row: table?.header_row ?? null,
    layout: table?.layout ?? null,
    columns: JSON.stringify(table?.columns ?? []),
    warnings: JSON.stringify((table?.warnings ?? []).map(storedWarning)),
    preview: JSON.stringify(table ? previewOf(table) : noPreview),
    ...(table && encodingColumns(table.encoding)),
  };
}

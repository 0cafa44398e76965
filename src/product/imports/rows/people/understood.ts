/** How a file was understood, as it is kept with its import. */
import { say, sayMany } from '../../../../contract/languages/text.ts';
import { columnLetter } from '../../../../platform/sheets/model/letters.ts';
import { noPreview } from '../../state/preview.ts';
import { type ImportWarning, storedWarning } from '../../state/warnings.ts';
import { encodingColumns } from '../columns/file-encoding.ts';
import type { PeopleTable } from './people-table.ts';
import { previewOf } from './preview.ts';

/** @param leavers the numbers of rows that add somebody who has left already, of which there is one at least */
export function leaverWarning(table: PeopleTable, [first, ...others]: readonly number[]): ImportWarning {
  const column = columnLetter(table.places.get('termination_date') ?? table.places.get('status')!);
  const message = sayMany(
    others.length + 1,
    say`The person in row ${first!} has left already: they are added as inactive and not invited.`,
    say`The person in row ${first!} and others have left already, ${others.length + 1} in all: these people are added as inactive and not invited.`,
  );
  return { code: 'already_left', message, column };
}

/** @param rows the numbers of rows whose manager is not found, of which there is one at least */
export function managerWarning([first, ...others]: readonly number[]): ImportWarning {
  const message = sayMany(
    others.length + 1,
    say`The manager in row ${first!} is not found: this person is imported without one.`,
    say`The managers in row ${first!} and others are not found, ${others.length + 1} in all: these people are imported without one.`,
  );
  return { code: 'manager_not_found', message, column: null };
}

/** @param table undefined when it could not be read as a table at all */
export function understood(table: PeopleTable | undefined) {
  return {
    header_row: table?.header_row ?? null,
    layout: table?.layout ?? null,
    columns: JSON.stringify(table?.columns ?? []),
    warnings: JSON.stringify((table?.warnings ?? []).map(storedWarning)),
    preview: JSON.stringify(table ? previewOf(table) : noPreview),
    ...(table && encodingColumns(table.encoding)),
  };
}

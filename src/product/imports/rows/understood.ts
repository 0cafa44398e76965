/** How a file was understood, as it is kept with its import. */
import { say, sayMany } from '../../../contract/languages/text.ts';
import { columnLetter } from '../../../platform/sheets/letters.ts';
import { type ImportWarning, storedWarning } from '../state/warnings.ts';
import { encodingColumns } from './file-encoding.ts';
import type { PeopleTable } from './people-table.ts';

/** @param leavers the numbers of rows that add somebody whose last day has passed, of which there is one at least */
export function leaverWarning(table: PeopleTable, [first, ...others]: readonly number[]): ImportWarning {
  const column = columnLetter(table.places.get('termination_date')!);
  const message = sayMany(
    others.length + 1,
    say`The last day in row ${first!} is in the past: this person is added as inactive and not invited.`,
    say`The last days in row ${first!} and others are in the past, ${others.length + 1} in all: these people are added as inactive and not invited.`,
  );
  return { code: 'already_left', message, column };
}

/** @param table undefined when it could not be read as a table at all */
export function understood(table: PeopleTable | undefined) {
  return {
    header_row: table?.header_row ?? null,
    columns: JSON.stringify(table?.columns ?? []),
    warnings: JSON.stringify((table?.warnings ?? []).map(storedWarning)),
    ...(table && encodingColumns(table.encoding)),
  };
}

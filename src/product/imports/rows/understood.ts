/** How a file was understood, as it is kept with its import. */

import { storedWarning } from '../state/warnings.ts';
import { encodingColumns } from './file-encoding.ts';
import type { PeopleTable } from './people-table.ts';

/** @param table undefined when it could not be read as a table at all */
export function understood(table: PeopleTable | undefined) {
  return {
    header_row: table?.header_row ?? null,
    columns: JSON.stringify(table?.columns ?? []),
    warnings: JSON.stringify((table?.warnings ?? []).map(storedWarning)),
    ...(table && encodingColumns(table.encoding)),
  };
}

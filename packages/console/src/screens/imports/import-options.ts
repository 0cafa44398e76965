import type { DateOrder, Import, ImportField, ImportOptions } from '../../api/imports.ts';

export const usualOptions: ImportOptions = {
  mode: 'create',
  on_error: 'continue',
  empty_cells: 'keep',
  send_invitations: false,
  mapping: {},
};

/** A header of this length may have been shortened: then it names no column. */
const longest_header = 200;

/** What an import tells of how its file was read: for a page that was loaded anew. */
export function optionsOf(job: Import): ImportOptions {
  const { mode, match_by, on_error, empty_cells, send_invitations, date_order } = job;
  return {
    ...{ mode, on_error, empty_cells, send_invitations, mapping: mappingOf(job) },
    ...(match_by && { match_by }),
    ...(date_order && { date_order: date_order as DateOrder }),
  } as ImportOptions;
}

/** What was guessed is guessed again, and told again. Of columns that are no field, somebody has to say so once. */
function mappingOf({ columns, failure }: Import): ImportOptions['mapping'] {
  const known = columns.filter(({ header, field, guessed }) => {
    return !guessed && header.length < longest_header && (field !== null || !failure);
  });
  return Object.fromEntries(known.map(({ header, field }) => [header, field as ImportField | null]));
}

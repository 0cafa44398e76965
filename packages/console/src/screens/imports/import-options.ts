import type { DateOrder, Import, ImportField, ImportOptions } from '../../api/imports.ts';

export const usualOptions: ImportOptions = {
  mode: 'create',
  on_error: 'continue',
  empty_cells: 'keep',
  send_invitations: false,
  mapping: {},
};

/** A header of this length may have been shortened: then it names no column. */
const longestHeader = 200;

/** What an import tells of how its file was read: for a page that was loaded anew. */
export function optionsOf(job: Import): ImportOptions {
  const {
    mode,
    match_by: matchBy,
    on_error: onError,
    empty_cells: emptyCells,
    send_invitations: sendInvitations,
    date_order: dateOrder,
    decimal,
    name_order: nameOrder,
    garbled_text: garbledText,
  } = job;
  return {
    ...{ mode, on_error: onError, empty_cells: emptyCells, send_invitations: sendInvitations, mapping: mappingOf(job) },
    ...(matchBy && { match_by: matchBy }),
    ...(dateOrder && { date_order: dateOrder as DateOrder }),
    ...(decimal && { decimal }),
    ...(nameOrder && { name_order: nameOrder }),
    ...(garbledText && { garbled_text: garbledText }),
  } as ImportOptions;
}

/** What was guessed is guessed again, and told again. Of columns that are no field, somebody has to say so once. */
function mappingOf({ columns, failure }: Import): ImportOptions['mapping'] {
  const known = columns.filter(({ header, field, guessed }) => {
    return !guessed && header.length < longestHeader && (field !== null || !failure);
  });
  return Object.fromEntries(known.map(({ header, field }) => [header, field as ImportField | null]));
}

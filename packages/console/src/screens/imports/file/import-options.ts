import type { DateOrder, Import, ImportField, ImportOptions } from '../../../api/imports.ts';

export const defaultOptions: ImportOptions = {
  mode: 'create',
  on_error: 'continue',
  empty_cells: 'keep',
  send_invitations: false,
  mapping: {},
};

/** A header of this length may be truncated, so it can't identify its column. */
const maxHeader = 200;

/** Recovers the options of an import after a reload. */
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

/**
 * Omits guessed columns, so that they are guessed and reported again. For a failed import, also omits columns without a field, so
 * that the user decides.
 */
function mappingOf({ columns, failure }: Import): ImportOptions['mapping'] {
  const known = columns.filter(({ header, field, guessed }) => {
    return !guessed && header.length < maxHeader && (field !== null || !failure);
  });
  return Object.fromEntries(known.map(({ header, field }) => [header, field as ImportField | null]));
}

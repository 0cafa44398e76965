/** Parsing the items of a bulk request, before the people they are about are known. */

import type { FieldErrors } from '../../contract/problem.ts';
import { schemaCheck } from '../../contract/validation.ts';
import { isId } from '../access/records.ts';
import { type MatchField, matchFields } from '../collaborators/fields/match.ts';
import { formOf, type UniqueField } from '../collaborators/fields/unique-fields.ts';

export interface Item {
  /** The client's name for it; null when there is none that can be used. */
  ref: string | null;
  /** As it was sent, without `ref`. The fields that name people are in their form: an empty one is null, an empty id is left out. */
  fields: Readonly<Record<string, unknown>>;
  /** What it names, when that is well formed: a UUID in lower case, an address in lower case, ids as written. */
  named: Readonly<Record<MatchField, string | undefined>>;
  /** The UUID that it names as the manager, in lower case. */
  manager_id: string | undefined;
  /** What is wrong with `ref` and `id` in themselves. */
  faults: FieldErrors;
}

const checkItem = schemaCheck('BulkItem');

/** @param sent an object with anything in it */
export function readItem(sent: object): Item {
  const { ref = null, id, ...others } = sent as Record<string, unknown>;
  const { external_id: externalId, employee_number: employeeNumber, email, manager_id: managerId } = others;
  const checked = present({ ref, id, external_id: externalId, employee_number: employeeNumber, email });
  const found = checkItem(checked) ?? {}; // brings them into their form
  const { ref: name, id: key, ...named } = checked;
  const fields: Record<string, unknown> = { ...others, ...named, ...((key ?? null) !== null && { id: key }) };
  const wellFormed = (field: UniqueField) => (found[field] ? undefined : formOf(fields, field));
  const faults = Object.fromEntries(Object.entries(found).filter(([path]) => path === 'ref' || path === 'id'));
  return {
    ref: faults.ref ? null : (name as string | null),
    fields,
    named: {
      id: uuidOf(fields.id),
      external_id: wellFormed('external_id'),
      employee_number: wellFormed('employee_number'),
      email: wellFormed('email'),
    },
    manager_id: uuidOf(managerId),
    faults,
  };
}

/**
 * By what it is to be found whom an item is about: by what the client says, or by the first that the item has.
 * @returns undefined when it has nothing of the kind
 */
export function matchFieldOf({ fields }: Item, matchBy: MatchField | undefined): MatchField | undefined {
  return matchBy ?? matchFields.find((field) => fields[field] !== undefined && fields[field] !== null);
}

function uuidOf(value: unknown): string | undefined {
  return typeof value === 'string' && isId(value) ? value.toLowerCase() : undefined;
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

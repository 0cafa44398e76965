/** Parsing the items of a bulk request, before the people they are about are known. */

import type { FieldErrors } from '../../contract/problem.ts';
import { schemaCheck } from '../../contract/validation.ts';
import { isId } from '../access/records.ts';

export interface Item {
  /** The client's name for it; null when there is none that can be used. */
  ref: string | null;
  /** As it was sent, without `ref`. */
  fields: Readonly<Record<string, unknown>>;
  /** The UUID that it names, in lower case. */
  id: string | undefined;
  /** The address that it names, in lower case, when it is one. */
  email: string | undefined;
  /** The UUID that it names as the manager, in lower case. */
  manager_id: string | undefined;
  /** What is wrong with `ref` and `id` in themselves. */
  faults: FieldErrors;
}

const checkItem = schemaCheck('BulkItem');

/** @param sent an object with anything in it */
export function readItem(sent: object): Item {
  const { ref = null, ...fields } = sent as Record<string, unknown>;
  const { id, email, manager_id } = fields;
  const { email: wrong_email, ...faults } = checkItem(present({ ref, id, email })) ?? {};
  return {
    ref: faults.ref ? null : (ref as string | null),
    fields,
    id: uuidOf(id),
    email: typeof email === 'string' && !wrong_email ? email.toLowerCase() : undefined,
    manager_id: uuidOf(manager_id),
    faults,
  };
}

function uuidOf(value: unknown): string | undefined {
  return typeof value === 'string' && isId(value) ? value.toLowerCase() : undefined;
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

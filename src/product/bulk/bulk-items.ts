/** Parses the items of a bulk request, before their people are known. */

import type { FieldErrors } from '../../contract/problem.ts';
import { schemaCheck } from '../../contract/validation.ts';
import { isId } from '../access/records.ts';
import { type MatchField, matchFields } from '../collaborators/fields/match.ts';
import { normalizedValue, type UniqueField } from '../collaborators/fields/unique-fields.ts';

export interface Item {
  /** The client's reference; null if missing or invalid. */
  ref: string | null;
  /** As sent, without `ref`. Identifying fields are normalized: an empty one is null, an empty id is omitted. */
  fields: Readonly<Record<string, unknown>>;
  /** Well-formed identifiers: UUID and address in lower case, other ids as written. */
  named: Readonly<Record<MatchField, string | undefined>>;
  manager_id: string | undefined;
  errors: FieldErrors;
}

const checkItem = schemaCheck('BulkItem');

export function readItem(sent: object): Item {
  const { ref = null, id, ...others } = sent as Record<string, unknown>;
  const { external_id: externalId, employee_number: employeeNumber, email, manager_id: managerId } = others;
  const checked = present({ ref, id, external_id: externalId, employee_number: employeeNumber, email });
  const found = checkItem(checked) ?? {}; // normalizes them
  const { ref: name, id: key, ...named } = checked;
  const fields: Record<string, unknown> = { ...others, ...named, ...((key ?? null) !== null && { id: key }) };
  const wellFormed = (field: UniqueField) => (found[field] ? undefined : normalizedValue(fields, field));
  const errors = Object.fromEntries(Object.entries(found).filter(([path]) => path === 'ref' || path === 'id'));
  return {
    ref: errors.ref ? null : (name as string | null),
    fields,
    named: {
      id: uuidOf(fields.id),
      external_id: wellFormed('external_id'),
      employee_number: wellFormed('employee_number'),
      email: wellFormed('email'),
    },
    manager_id: uuidOf(managerId),
    errors,
  };
}

/** The client's choice, or the first the item has. @returns undefined if it has none */
export function matchFieldOf({ fields }: Item, matchBy: MatchField | undefined): MatchField | undefined {
  return matchBy ?? matchFields.find((field) => fields[field] !== undefined && fields[field] !== null);
}

function uuidOf(value: unknown): string | undefined {
  return typeof value === 'string' && isId(value) ? value.toLowerCase() : undefined;
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

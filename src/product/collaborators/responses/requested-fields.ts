/** Requested fields (`fields`) and expansions (`expand`) of collaborators. */
import type { components } from '../../../../generated/api.ts';
import { contract } from '../../../contract/contract.ts';
import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import { listedColumns } from '../../access/records.ts';
import type { ListedColumns } from '../list/list-statements.ts';

export type Field =
  | Exclude<keyof components['schemas']['Collaborator'], 'restricted_fields'>
  | `custom_fields.${string}`;

export interface RequestedFields {
  fields: ReadonlySet<Field> | undefined;
  manager: boolean;
  /** Whether `reports_count` is expanded. */
  reportsCount: boolean;
}

const knownFields = Object.keys(contract.components.schemas.Collaborator!.properties!).filter(
  (name) => name !== 'restricted_fields',
);

/** @throws 400 `invalid_parameter` for an unknown name */
export function requestedFields(
  { fields, expand }: { fields?: string; expand?: string },
  { member }: Pick<Viewer, 'member'>,
): RequestedFields {
  const expanded = expand?.split(',') ?? [];
  const expansions = { manager: expanded.includes('manager'), reportsCount: expanded.includes('reports_count') };
  if (fields === undefined) return { fields: undefined, ...expansions };
  const names = new Set(fields.split(','));
  const customFields = member.fields?.active.map(({ path }) => path) ?? [];
  const unknownField = [...names].find((name) => !knownFields.includes(name) && !customFields.includes(name));
  if (unknownField === undefined) return { fields: names.add('id') as Set<Field>, ...expansions };
  // Truncated: a message has at most 500 characters, and JSON may escape each one as six.
  const message = t`There is no field ${JSON.stringify(unknownField.slice(0, 30))}. There are: ${knownFields.join(', ')}.`;
  throw new Problem(400, 'invalid_parameter', t`The parameter fields contains an unknown field.`, {
    details: { fields: [{ code: 'not_in_enum', message }] },
  });
}

/** Whether this field is chosen, by its own name or with all custom fields. Without a choice, every field is. */
export function isChosen(path: string, fields: ReadonlySet<string> | undefined): boolean {
  return !fields || fields.has(path) || (path.startsWith('custom_fields.') && fields.has('custom_fields'));
}

/** The columns to read, in the same order for any order of names. */
export function requestedColumns({ fields, manager }: RequestedFields): ListedColumns {
  if (!fields) return listedColumns;
  const names = new Set<string>([...fields, 'id', 'deleted_at']);
  if (fields.values().some((name) => name.startsWith('custom_fields.'))) names.add('custom_fields');
  if (names.has('avatar_url')) names.add('avatar_key');
  if (names.has('managed_by')) names.add('managed_fields');
  if (manager) names.add('manager_id');
  return listedColumns.filter((column) => names.has(column));
}

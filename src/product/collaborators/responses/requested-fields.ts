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

export interface Wanted {
  fields: ReadonlySet<Field> | undefined;
  manager: boolean;
  /** Whether `reports_count` is expanded. */
  reportsCount: boolean;
}

const known = Object.keys(contract.components.schemas.Collaborator!.properties!).filter(
  (name) => name !== 'restricted_fields',
);

/** @throws 400 `invalid_parameter` for an unknown name */
export function wantedFields(
  { fields, expand }: { fields?: string; expand?: string },
  { member }: Pick<Viewer, 'member'>,
): Wanted {
  const expanded = expand?.split(',') ?? [];
  const beside = { manager: expanded.includes('manager'), reportsCount: expanded.includes('reports_count') };
  if (fields === undefined) return { fields: undefined, ...beside };
  const names = new Set(fields.split(','));
  const ofCompany = member.fields?.active.map(({ path }) => path) ?? [];
  const unknown = [...names].find((name) => !known.includes(name) && !ofCompany.includes(name));
  if (unknown === undefined) return { fields: names.add('id') as Set<Field>, ...beside };
  // Truncated: a message has at most 500 characters, and JSON may escape each one as six.
  const message = t`There is no field ${JSON.stringify(unknown.slice(0, 30))}. There are: ${known.join(', ')}.`;
  throw new Problem(400, 'invalid_parameter', t`The parameter fields contains an unknown field.`, {
    details: { fields: [{ code: 'not_in_enum', message }] },
  });
}

/** The columns to read, in the same order for any order of names. */
export function wantedColumns({ fields, manager }: Wanted): ListedColumns {
  if (!fields) return listedColumns;
  const names = new Set<string>([...fields, 'id', 'deleted_at']);
  if (fields.values().some((name) => name.startsWith('custom_fields.'))) names.add('custom_fields');
  if (names.has('avatar_url')) names.add('avatar_key');
  if (names.has('managed_by')) names.add('managed_fields');
  if (manager) names.add('manager_id');
  return listedColumns.filter((column) => names.has(column));
}

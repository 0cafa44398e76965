/** Fields and records that the caller may read in an export, by the rules of fields and of the operations for documents and history. */

import { contract, type FieldAccess } from '../../../contract/contract.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import { canUseField, fieldRules, readersOf } from '../../access/permissions.ts';
import { isChosen } from '../../collaborators/responses/requested-fields.ts';
import type { ExportRequest } from './export-request.ts';

const fields = fieldRules(contract.components.schemas.Collaborator!, 'x-read-access');

const parts = new Map([
  ['documents', readersOf('listDocuments')],
  ['history', readersOf('listHistory')],
]);
const personalParts = new Map([
  ['notifications', readersOf('getNotifications')],
  ['audit', readersOf('listAudit')],
]);

type Reader = Pick<Viewer, 'caller' | 'member'>;

function allFields({ member }: Reader): Map<string, FieldAccess> {
  const custom = member.fields?.active.map(({ path, readers }) => [path, readers] as const) ?? [];
  return new Map([...fields, ...custom]);
}

/** Fields and parts omitted for all or some people in the export. */
export function omittedFrom(request: ExportRequest, reader: Reader): string[] {
  if (request.kind !== 'individual' && request.kind !== 'personal_data') {
    const chosen = request.kind === 'list' && request.query.fields ? new Set<string>(request.query.fields) : undefined;
    const exported = [...allFields(reader)].filter(([path]) => isChosen(path, chosen));
    return exported.filter(([, rule]) => readableIn(rule, reader) !== 'all').map(name);
  }
  const { collaborator_id: collaboratorId } = request.query;
  const all = allFields(reader);
  const included = request.format === 'csv' ? all : new Map([...all, ...partsOf(request.kind)]);
  return [...included].filter(([, rule]) => !canUseField(rule, reader.caller, reader.member, collaboratorId)).map(name);
}

/** Fields without any visible value, which get no column. */
export function unreadableFields(reader: Reader): string[] {
  return [...fields].filter(([, rule]) => readableIn(rule, reader) === 'none').map(name);
}

/** The scopes that decide what an export contains. */
export function decidingScopes({ kind }: ExportRequest, reader: Reader): string[] {
  const rules = [...allFields(reader).values(), ...partsOf(kind).values()];
  const deciding = new Set(rules.flatMap((rule) => rule.scopes ?? []));
  return reader.caller.scopes.filter((scope) => deciding.has(scope)).toSorted();
}

function partsOf(kind: ExportRequest['kind']): Map<string, FieldAccess> {
  if (kind === 'personal_data') return new Map([...parts, ...personalParts]);
  return kind === 'individual' ? parts : new Map();
}

export function readableIn(rule: FieldAccess, { caller, member }: Reader): 'all' | 'some' | 'none' {
  if (rule.scopes?.some((scope) => !caller.scopes.includes(scope))) return 'none';
  const reach = rule[member.role];
  if (reach === 'self') return 'some';
  return reach === 'none' ? 'none' : 'all';
}

function name([field]: [string, FieldAccess]): string {
  return field;
}

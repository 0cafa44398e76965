/**
 * What the caller may read in an export: the rules of the fields, and of the operations that show documents and
 * history, so that an export does not bypass them.
 */

import { contract, type FieldAccess } from '../../../contract/contract.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import { fieldRules, mayUseField, readersOf } from '../../access/permissions.ts';
import type { ExportRequest } from './export-request.ts';

const fields = fieldRules(contract.components.schemas.Collaborator!, 'x-read-access');

/** The parts of an individual export beside the profile. */
const parts = new Map([
  ['documents', readersOf('listDocuments')],
  ['history', readersOf('listHistory')],
]);
/** What only personal data have on top. */
const personalParts = new Map([
  ['notifications', readersOf('getNotifications')],
  ['audit', readersOf('listAudit')],
]);

type Reader = Pick<Viewer, 'caller' | 'member'>;

/** Those of everybody, and the company's own. */
function allFields({ member }: Reader): Map<string, FieldAccess> {
  const own = member.fields?.active.map(({ path, readers }) => [path, readers] as const) ?? [];
  return new Map([...fields, ...own]);
}

/** What is left out, for everyone or for some of those in the export. */
export function omittedFrom(request: ExportRequest, reader: Reader): string[] {
  if (request.kind !== 'individual' && request.kind !== 'personal_data')
    return [...allFields(reader)].filter(([, rule]) => readableIn(rule, reader) !== 'all').map(name);
  const { collaborator_id: collaboratorId } = request.query;
  const all = allFields(reader);
  const shown = request.format === 'csv' ? all : new Map([...all, ...partsOf(request.kind)]);
  return [...shown].filter(([, rule]) => !mayUseField(rule, reader.caller, reader.member, collaboratorId)).map(name);
}

/** The fields of which a list has no value at all, so that it needs no column for them. */
export function unreadableFields(reader: Reader): string[] {
  return [...fields].filter(([, rule]) => readableIn(rule, reader) === 'none').map(name);
}

/** The scopes of a token that decide what is in an export. */
export function decidingScopes({ kind }: ExportRequest, reader: Reader): string[] {
  const rules = [...allFields(reader).values(), ...partsOf(kind).values()];
  const deciding = new Set(rules.flatMap((rule) => rule.scopes ?? []));
  return reader.caller.scopes.filter((scope) => deciding.has(scope)).toSorted();
}

function partsOf(kind: ExportRequest['kind']): Map<string, FieldAccess> {
  if (kind === 'personal_data') return new Map([...parts, ...personalParts]);
  return kind === 'individual' ? parts : new Map();
}

/** Of whom in their reach the caller reads a field. */
export function readableIn(rule: FieldAccess, { caller, member }: Reader): 'all' | 'some' | 'none' {
  if (rule.scopes?.some((scope) => !caller.scopes.includes(scope))) return 'none';
  const reach = rule[member.role];
  if (reach === 'self') return 'some';
  return reach === 'none' ? 'none' : 'all';
}

function name([field]: [string, FieldAccess]): string {
  return field;
}

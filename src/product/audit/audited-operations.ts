/** Decides which operations write an audit entry: all that can change something, and those that give access to files. */
import type { operations } from '../../../generated/api.ts';
import type { Method } from '../../contract/contract.ts';
import type { AuditActor, AuditEntry, Origin } from '../../platform/audit/entry.ts';
import { isId } from '../access/records.ts';

type OperationId = keyof operations;

const recordedReads: ReadonlySet<OperationId> = new Set([
  'exportIndividual',
  'exportList',
  'exportGroup',
  'exportGroupAlias',
  'getDocument',
  'listDocuments',
] as const);

/** Parts of a request or result recorded with their values; everything else is recorded by name only. */
const recordedDetails: Partial<Record<OperationId, readonly string[]>> = {
  assignRole: ['role'],
  createCustomField: ['key'],
  updateCompany: ['policy'],
  setSnooze: ['kind', 'item_id', 'days'],
  updateWebhook: ['dropped_headers'],
  bulkCollaborators: ['mode', 'on_error', 'dry_run', 'summary'],
  importCollaborators: ['mode', 'on_error', 'dry_run', 'send_invitations'],
  exportIndividual: ['collaborator_id', 'format'],
  exportList: ['format'],
  exportGroup: ['group_by'],
  exportGroupAlias: ['group_by'],
};
const resultDetails: ReadonlySet<string> = new Set(['summary', 'dropped_headers']);
const maxNamed = 50;

export interface RecordedOperation {
  operationId: OperationId;
  method: Method;
  tag: string;
  resource: string | undefined;
}

export function isAudited({ operationId, method }: RecordedOperation): boolean {
  return method !== 'get' || recordedReads.has(operationId);
}

export interface RecordedRequest {
  operation: RecordedOperation;
  actor: AuditActor;
  origin: Origin;
  path: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

export function operationEntry(request: RecordedRequest, result: unknown): AuditEntry {
  const { operation, actor, origin, path } = request;
  const target = recordOf(operation, path);
  const resultId = idOf(result);
  const created = resultId === undefined ? undefined : { type: operation.tag.replace(/s$/, ''), id: resultId };
  const details = {
    ...otherIds(path),
    ...(target && resultId !== target.id && resultId && { result_id: resultId }),
    ...(Array.isArray(result) && { ids: result.map(idOf).filter(Boolean).slice(0, maxNamed) }),
    ...detailsOf(request, result),
  };
  return { action: operation.operationId, actor, origin, target: target ?? created, details };
}

export function refusalEntry(request: Omit<RecordedRequest, 'query' | 'body'>, error: string): AuditEntry {
  const { operation, actor, origin, path } = request;
  const target = recordOf(operation, path);
  return { action: operation.operationId, actor, origin, target, details: { ...otherIds(path), error } };
}

function recordOf({ resource }: RecordedOperation, path: Record<string, string>) {
  return resource && path.id !== undefined ? { type: resource, id: plainId(path.id) } : undefined;
}

function otherIds({ id: _, ...rest }: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, plainId(value)]));
}

function detailsOf({ operation, query, body }: RecordedRequest, result: unknown): Record<string, unknown> {
  const sent = { ...query, ...(isObject(body) && body) };
  const fields = isObject(body) ? Object.keys(body).slice(0, maxNamed) : [];
  const values = (recordedDetails[operation.operationId] ?? []).flatMap((name) => {
    const value = isObject(result) && resultDetails.has(name) ? result[name] : sent[name];
    return value === undefined || (Array.isArray(value) && value.length === 0) ? [] : [[name, value] as const];
  });
  return { ...(fields.length > 0 && { fields }), ...Object.fromEntries(values) };
}

function idOf(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const { id, row } = result;
  return typeof id === 'string' ? id : idOf(row);
}

/** Normalized, because ids are compared in the service's own spelling. */
export function plainId(id: string): string {
  return isId(id) ? id.toLowerCase() : id.slice(0, 64);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

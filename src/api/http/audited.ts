/** Writes the audit log entries of requests, so that handlers don't have to. */
import type { Request as ExpressRequest } from 'express';
import { Problem } from '../../contract/problem.ts';
import { type AuditActor, type AuditEntry, type Origin, originOf, recordAudit } from '../../platform/audit/entry.ts';
import type { AuditRecorder } from '../../platform/audit/recorder.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { operationEntry, type RecordedRequest, refusalEntry } from '../../product/audit/audited-operations.ts';
import { changedFields } from '../../product/audit/changed-fields.ts';
import type { RequestLog } from './observe/request-log.ts';
import { isReplay } from './responses/replay.ts';
import type { Reply } from './responses/respond.ts';

/**
 * Writes the audit entry last in the handler's transaction: no change without an entry, and no entry for a rolled-back change.
 */
export async function runAudited(
  { db, audit }: { db: Database; audit: AuditRecorder },
  tenant: Tenant,
  request: RecordedRequest,
  run: (tenant: Tenant) => Promise<Reply>,
): Promise<Reply> {
  let isWritten = false;
  let isPending = false;
  const auditedTenant = db.tenant(tenant.company_id, {
    beforeEnd(tx, result) {
      if (isWritten || result instanceof Problem || (isReply(result) && isReplay(result))) return;
      recordAudit(tx, withChangedFields(entryOf(request, result), changedFields(tx)));
      isPending = true;
    },
    committed() {
      isWritten ||= isPending;
    },
  });
  const reply = await run(auditedTenant);
  if (isWritten || isReplay(reply)) return reply;
  const entry = entryOf(request, reply);
  if (request.operation.method === 'get') audit.add(tenant.company_id, entry);
  // A write request that found nothing to change.
  else await tenant.transaction(async (tx) => recordAudit(tx, entry));
  return reply;
}

function entryOf(request: RecordedRequest, result: unknown): AuditEntry {
  return operationEntry(request, isReply(result) ? result.body : result);
}

function withChangedFields(entry: AuditEntry, fields: readonly string[]): AuditEntry {
  return fields.length === 0 ? entry : { ...entry, details: { ...entry.details, changed_fields: fields } };
}

/** With an Idempotency-Key the transaction wraps the handler, and its result is the whole reply. */
function isReply(result: unknown): result is Reply {
  return typeof (result as Reply | undefined)?.status === 'number';
}

export function recordRefusal(
  recorder: AuditRecorder,
  req: ExpressRequest,
  requestLog: RequestLog,
  error: unknown,
): void {
  const { record, company_id: companyId, pathParameters = {} } = requestLog;
  if (!(error instanceof Problem) || error.status !== 403 || !record || !companyId) return;
  const request = { operation: record, actor: actorOf(requestLog), origin: originOfRequest(req, requestLog) };
  recorder.addRefusal(companyId, refusalEntry({ ...request, path: pathParameters }, error.code));
}

export function actorOf({
  user_id: userId,
  client_id: clientId,
  is_installation: isInstallation,
}: RequestLog): AuditActor {
  if (isInstallation) return { type: 'installation', installation_id: userId!, client_id: clientId! };
  return { type: 'user', user_id: userId!, client_id: clientId };
}

export function originOfRequest(req: ExpressRequest, requestLog: RequestLog): Origin {
  return originOf(req, requestLog.request_id);
}

/** Requests leave their entries in the audit log here: no handler has to think of it. */
import type { Request as ExpressRequest } from 'express';
import { Problem } from '../../contract/problem.ts';
import { type AuditActor, type AuditEntry, type Origin, originOf, recordAudit } from '../../platform/audit/entry.ts';
import type { AuditRecorder } from '../../platform/audit/recorder.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Tenant } from '../../platform/db/tenant.ts';
import { operationEntry, type RecordedRequest, refusalEntry } from '../../product/audit/audited-operations.ts';
import { isReplay } from './replay.ts';
import type { Reply } from './respond.ts';
import type { Trail } from './trail.ts';

/**
 * Runs a handler whose operation leaves an entry, which is written by the transaction that does the work, behind all else:
 * so there is no change without entry, and no entry of what was rolled back.
 * @param run the work, on the tenant that it is given
 */
export async function audited(
  { db, audit }: { db: Database; audit: AuditRecorder },
  tenant: Tenant,
  request: RecordedRequest,
  run: (tenant: Tenant) => Promise<Reply>,
): Promise<Reply> {
  let is_written = false;
  let is_leaving = false;
  const watched = db.tenant(tenant.company_id, {
    beforeEnd(tx, result) {
      if (is_written || result instanceof Problem || (isReply(result) && isReplay(result))) return;
      recordAudit(tx, entryOf(request, result));
      is_leaving = true;
    },
    committed() {
      is_written ||= is_leaving;
    },
  });
  const reply = await run(watched);
  if (is_written || isReplay(reply)) return reply;
  const entry = entryOf(request, reply);
  if (request.operation.method === 'get') audit.add(tenant.company_id, entry);
  // A request that may change something, but found nothing to do.
  else await tenant.transaction(async (tx) => recordAudit(tx, entry));
  return reply;
}

function entryOf(request: RecordedRequest, result: unknown): AuditEntry {
  return operationEntry(request, isReply(result) ? result.body : result);
}

/** With an Idempotency-Key the transaction is around the handler, and ends with its answer. */
function isReply(result: unknown): result is Reply {
  return typeof (result as Reply | undefined)?.status === 'number';
}

/** Records that a member of a company was refused what they asked for. */
export function recordRefusal(recorder: AuditRecorder, req: ExpressRequest, trail: Trail, error: unknown): void {
  const { record, company_id, path_parameters = {} } = trail;
  if (!(error instanceof Problem) || error.status !== 403 || !record || !company_id) return;
  const request = { operation: record, actor: actorOf(trail), origin: originOfRequest(req, trail) };
  recorder.addRefusal(company_id, refusalEntry({ ...request, path: path_parameters }, error.code));
}

/** Whose token it is. */
export function actorOf({ user_id, client_id, is_installation }: Trail): AuditActor {
  if (is_installation) return { type: 'installation', installation_id: user_id!, client_id: client_id! };
  return { type: 'user', user_id: user_id!, client_id };
}

export function originOfRequest(req: ExpressRequest, trail: Trail): Origin {
  return originOf(req, trail.request_id);
}

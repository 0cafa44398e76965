import { Problem } from '../../../contract/problem.ts';
import type { AuditRecorder } from '../../../platform/audit/recorder.ts';
import { recordRefusal } from '../audited.ts';
import type { RequestContext } from '../request-context.ts';
import type { Responder } from '../responses/respond.ts';

export function sendError(
  responder: Responder,
  audit: AuditRecorder,
): (exchange: RequestContext, error: unknown) => Promise<void> {
  return async ({ req, res, requestLog, body, isCompleted }, error) => {
    // A Problem means that nothing was written. After other errors that is unknown, and the sweep removes leftovers.
    if (error instanceof Problem && !isCompleted) await body.files?.discard();
    recordRefusal(audit, req, requestLog, error);
    // A 405 belongs to a path, so no operation declares it.
    const isMethodError = error instanceof Problem && error.status === 405;
    responder.fail(res, isMethodError ? undefined : requestLog.record, error);
  };
}

import { Problem } from '../../../contract/problem.ts';
import type { AuditRecorder } from '../../../platform/audit/recorder.ts';
import { recordRefusal } from '../audited.ts';
import type { Exchange } from '../exchange.ts';
import type { Responder } from '../respond.ts';

export function refuse(
  responder: Responder,
  audit: AuditRecorder,
): (exchange: Exchange, error: unknown) => Promise<void> {
  return async ({ req, res, trail, body, isCarriedOut }, error) => {
    // A Problem means that nothing was written. After other errors that is unknown, and the sweep removes leftovers.
    if (error instanceof Problem && !isCarriedOut) await body.files?.discard();
    recordRefusal(audit, req, trail, error);
    // A 405 belongs to a path, so no operation declares it.
    const isOfPath = error instanceof Problem && error.status === 405;
    responder.fail(res, isOfPath ? undefined : trail.record, error);
  };
}

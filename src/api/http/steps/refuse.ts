/** The answer to a request that a step, or the operation, has refused. */

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
    // A refusal: nothing was written. After any other error that is not known, and what lies about is found by the sweep.
    if (error instanceof Problem && !isCarriedOut) await body.files?.discard();
    recordRefusal(audit, req, trail, error);
    // 405 belongs to a path and not to an operation, so no operation declares it.
    const isOfPath = error instanceof Problem && error.status === 405;
    responder.fail(res, isOfPath ? undefined : trail.record, error);
  };
}

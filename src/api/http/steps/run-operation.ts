/** Runs the handler, wrapped in the audit entry and the Idempotency-Key, which need its transaction. */
import type { AuditRecorder } from '../../../platform/audit/recorder.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { Vault } from '../../../platform/secrets/secrets.ts';
import { isAudited } from '../../../product/audit/audited-operations.ts';
import { recordSensitive } from '../../../product/audit/sensitive-reads.ts';
import type { CompanyContext, Handlers, OperationId, Services } from '../../handler.ts';
import { actorOf, originOfRequest, runAudited } from '../audited.ts';
import type { RequestContext } from '../request-context.ts';
import { runOnce } from '../responses/idempotency.ts';
import { expectedTags, isIfNoneMatchAny, replyOrNotModified, requireCreateOnly } from '../responses/preconditions.ts';
import { readerLanguage } from '../responses/reader-language.ts';
import { isReplay } from '../responses/replay.ts';
import { redactReplay } from '../responses/replayed-responses.ts';
import type { Reply } from '../responses/respond.ts';

export interface OperationOptions {
  services: Services;
  audit: AuditRecorder;
  responseVault: Vault;
}

type Run = (tenant: Tenant) => Promise<Reply>;

/** @param handler typed for its operation; the request was validated against the same contract */
export function runOperation(handler: Handlers[OperationId], options: OperationOptions) {
  const untyped = handler as unknown as UntypedHandler;
  return async (exchange: RequestContext): Promise<Reply> => {
    const { company, body } = exchange;
    requireCreateOnly(exchange);
    const request = requestOf(exchange);
    const context = contextOf(exchange, options.services);
    await untyped.check?.(request, context);
    if (!company) return untyped(request, context);
    const work: Run = (tenant) => untyped(request, tenant === company.tenant ? context : { ...context, tenant });
    const run = withIdempotency(exchange, company, options.responseVault, work);
    const done = await withAudit(exchange, company, options, run);
    const redactedReply = isReplay(done)
      ? redactReplay(done, exchange.operation, { ...company, caller: exchange.caller })
      : done;
    const complete = (await untyped.afterCommit?.(redactedReply, request, context)) ?? redactedReply;
    const reply = replyOrNotModified(exchange, complete);
    if (isReplay(reply)) await body.files?.discard();
    auditSensitiveRead(exchange, company, options.audit, reply);
    exchange.isCompleted = true;
    return reply;
  };
}

interface UntypedHandler {
  (request: object, context: object): Promise<Reply>;
  check?(request: object, context: object): Promise<void>;
  afterCommit?(response: Reply, request: object, context: object): Promise<Reply>;
}

function requestOf({ pathParameters, query, headers, body }: RequestContext): object {
  const createOnly = isIfNoneMatchAny(headers['if-none-match']);
  return { path: pathParameters, query, ifMatch: expectedTags(headers['if-match']), createOnly, body: body.value };
}

function contextOf({ requestLog, headers, caller, company, resource }: RequestContext, services: Services): object {
  const language = () => readerLanguage(requestLog, headers);
  return { ...services, request_id: requestLog.request_id, language, caller, ...company, ...resource.context };
}

function withIdempotency(exchange: RequestContext, { member }: CompanyContext, vault: Vault, work: Run): Run {
  const { operation, requestLog, headers, caller, method, path, query, body } = exchange;
  const key = operation.acceptsIdempotencyKey ? headers['idempotency-key'] : undefined;
  if (typeof key !== 'string') return work;
  const { client_id: clientId, user_id: userId, scopes } = caller;
  const requester = { client_id: clientId, user_id: userId, role: member.role, scopes };
  const language = () => readerLanguage(requestLog, headers);
  const keyedRequest = { key, ...requester, method, path, query, body: body.identity, language };
  return (tenant) => runOnce(tenant, vault, keyedRequest, work);
}

function withAudit(
  exchange: RequestContext,
  { tenant }: CompanyContext,
  options: OperationOptions,
  run: Run,
): Promise<Reply> {
  const { operation, req, requestLog, pathParameters, query, body } = exchange;
  if (!isAudited(operation)) return run(tenant);
  const requester = { actor: actorOf(requestLog), origin: originOfRequest(req, requestLog) };
  const recordedRequest = { operation, ...requester, path: pathParameters, query, body: body.value };
  return runAudited({ db: options.services.db, audit: options.audit }, tenant, recordedRequest, run);
}

/** @throws 503 when the disclosure of salaries or sensitive values can't be recorded, so that they aren't sent */
function auditSensitiveRead(
  exchange: RequestContext,
  company: CompanyContext,
  audit: AuditRecorder,
  { body }: Reply,
): void {
  const { operation, caller, resource, req, requestLog, pathParameters } = exchange;
  const { company_id: companyId } = company.tenant;
  const readContext = { company_id: companyId, operation_id: operation.operationId, caller, member: company.member };
  const origin = () => originOfRequest(req, requestLog);
  recordSensitive(audit, {
    ...readContext,
    collaborator_id: resource.record_id,
    field_name: pathParameters.field_name,
    origin,
    body,
  });
}

/**
 * `POST /mcp`: exposes the API as tools (Model Context Protocol, streamable HTTP without sessions). It takes access tokens of the
 * same authorization server, which the resource metadata announces (RFC 9728).
 */
import type { RequestListener } from 'node:http';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import { supportedScopes } from '../../identity/grants/scopes.ts';
import { findMember, scopesIn } from '../../identity/members/member.ts';
import { proofAlgorithm } from '../../identity/tokens/dpop.ts';
import type { VerifiedToken } from '../../identity/tokens/verify-token.ts';
import { type AuditActor, originOf } from '../../platform/audit/entry.ts';
import type { AuditRecorder } from '../../platform/audit/recorder.ts';
import type { Database } from '../../platform/db/client.ts';
import { isId } from '../../product/access/records.ts';
import type { VerifyToken } from '../http/access-token.ts';
import { readJson } from '../http/body/json-body.ts';
import type { RequestLog } from '../http/observe/request-log.ts';
import { type RateLimiter, tooManyRequests } from '../rate-limit/rate-limit.ts';
import { type Tool, tools } from './tools.ts';

const maxBodyBytes = 65_536;
const bodyLimits = { max_bytes: maxBodyBytes, maxRestBytes: maxBodyBytes, encoded: undefined };
/** The scopes of the tools. Clients request all of them by default. */
const toolScopes = supportedScopes.filter((scope) => {
  return scope === 'offline_access' || tools.some(({ scopes }) => scopes.includes(scope));
});
/** RFC 6750, section 2.1. */
const bearer = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

interface McpOptions {
  base_url: string;
  db: Database;
  verifyToken: VerifyToken;
  limiter: RateLimiter;
  audit: AuditRecorder;
  /** The whole service; tools send their requests to it. */
  service: RequestListener;
}

export function mcpRoutes(options: McpOptions): Router {
  const { base_url: baseUrl } = options;
  const router = express.Router({ strict: true, caseSensitive: true });
  for (const path of ['', '/mcp']) {
    router.get(`/.well-known/oauth-protected-resource${path}`, (_req, res) => {
      res.set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'public, max-age=300' });
      res.json({
        resource: `${baseUrl}${path}`,
        authorization_servers: [baseUrl],
        scopes_supported: path === '' ? supportedScopes : toolScopes,
        bearer_methods_supported: ['header'],
        // The resource for assistants accepts bearer tokens only.
        ...(path === '' && { dpop_signing_alg_values_supported: [proofAlgorithm] }),
        resource_documentation: `${baseUrl}/docs/guides/${path === '' ? 'authentication' : 'assistants'}`,
      });
    });
  }
  router
    .route('/mcp')
    .post(handlePost(options))
    .all(() => {
      throw new Problem(405, 'method_not_allowed', t`Only POST is possible here.`, { headers: { Allow: 'POST' } });
    });
  return router;
}

function handlePost(options: McpOptions): RequestHandler {
  const { base_url: baseUrl, db, limiter, audit, service } = options;
  return async (req, res) => {
    const { authorization = '', origin = baseUrl } = req.headers;
    // Protects local assistants from web pages (Model Context Protocol, Streamable HTTP, security warning).
    if (origin !== baseUrl) throw new Problem(403, 'forbidden', t`Web pages can’t use this address.`);
    const caller = await verifyCaller(req, options.verifyToken, baseUrl);
    const companyId = companyOf(req, caller);
    const tenant = db.tenant(companyId);
    const member = await findMember(caller, tenant);
    // An installation acts for the company, and isn't a person's assistant.
    if (!member || caller.installation_role) throw noAccess();
    const { assistants } = member.policy;
    if (assistants === 'none') throw new Problem(403, 'forbidden', t`Your company doesn’t allow assistants.`);
    await count(limiter, companyId, caller, res); // the tool's own request counts in addition
    const { value: message } = await readJson(req, res, bodyLimits);
    if (Array.isArray(message)) throw new Problem(400, 'malformed_json', t`Send one message at a time.`);
    const grantedScopes = scopesIn(caller, companyId, member.policy);
    const usableTools = tools.filter(
      ({ effect, scopes }) =>
        (effect === 'read' || assistants === 'write') && scopes.every((scope) => grantedScopes.includes(scope)),
    );
    const requestLog = res.locals.requestLog as RequestLog;
    const { request_id: requestId } = requestLog;
    const [{ handleMessage }, { callTool }] = await Promise.all([import('./mcp-server.ts'), import('./call-tool.ts')]);
    await handleMessage(req, res, message, usableTools, async (tool, sent) => {
      const call = { tool, arguments: sent, company_id: companyId, scopes: grantedScopes, authorization };
      const { status, result } = await callTool(service, req, { ...call, request_id: requestId });
      audit.add(companyId, entryOf(req, requestId, caller, { tool, sent, status }));
      return result;
    });
  };
}

/** @throws 401 that points to the authorization server (RFC 9728, section 5.1) */
async function verifyCaller(req: Request, verifyToken: VerifyToken, baseUrl: string): Promise<VerifiedToken> {
  const challenge = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
  const token = bearer.exec(req.headers.authorization ?? '')?.[1];
  try {
    if (token) return await verifyToken(token);
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    const headers = { 'WWW-Authenticate': `${error.headers?.['WWW-Authenticate']}, ${challenge}` };
    throw new Problem(401, error.code, error.text, { headers, cause: error });
  }
  const headers = { 'WWW-Authenticate': `Bearer realm="collaborator-api", ${challenge}` };
  throw new Problem(401, 'unauthorized', t`An access token is required.`, { headers });
}

/** Each connection uses one company: the one of the consent page; with several, the client names one. */
function companyOf({ headers }: Request, { company_ids: companyIds }: VerifiedToken): string {
  const named = headers['x-company-id'];
  if (typeof named === 'string' && isId(named)) {
    if (companyIds.includes(named.toLowerCase())) return named.toLowerCase();
    throw noAccess();
  }
  const [only, ...more] = companyIds;
  if (only && more.length === 0) return only;
  const text = t`This connection is for several companies. Connect again for one, or send X-Company-Id.`;
  throw only ? new Problem(400, 'company_id_required', text) : noAccess();
}

function noAccess(): Problem {
  return new Problem(403, 'company_access_denied', t`This token does not give access to that company.`);
}

async function count(limiter: RateLimiter, companyId: string, caller: VerifiedToken, res: Response): Promise<void> {
  const decision = await limiter.take(companyId, caller, 'read');
  res.set(decision.headers);
  if (!decision.allowed) throw tooManyRequests(decision);
}

interface CalledTool {
  tool: Tool;
  sent: Record<string, unknown>;
  status: number;
}

function entryOf(req: Request, requestId: string, caller: VerifiedToken, { tool, sent, status }: CalledTool) {
  const { user_id: userId, client_id: clientId } = caller;
  const actor: AuditActor = { type: 'user', user_id: userId, client_id: clientId };
  const id = typeof sent.id === 'string' && isId(sent.id) ? sent.id : undefined;
  const type = tool.path.startsWith('/v1/webhooks') ? 'webhook' : 'collaborator';
  const isRefused = status === 403 || status === 404;
  return {
    action: 'tool.called',
    actor,
    origin: originOf(req, requestId),
    ...(id && tool.path.includes('{id}') && { target: { type, id } }),
    outcome: isRefused ? ('refused' as const) : ('succeeded' as const),
    details: { tool: tool.name, effect: tool.effect, operation: tool.operationId, status },
  };
}

/** CORS: every response to an allowed origin says so, errors too. Preflights have no token and are answered here. */
import { methods } from '../../../contract/contract.ts';
import type { PageOrigins } from '../../../identity/clients/page-origins.ts';
import { corsHeaders, isPreflight, preflightHeaders, varyByOrigin } from '../cross-origin.ts';
import type { RequestContext } from '../request-context.ts';
import { commonHeaders } from '../responses/respond.ts';

const allowedMethods = methods.map((method) => method.toUpperCase());

/** @returns whether the request is handled @throws the database error when the allowed origins can't be read */
export function handleCors(origins: PageOrigins) {
  return async ({ req, res, headers: { origin }, requestLog: { headers } }: RequestContext): Promise<boolean> => {
    Object.assign(headers, varyByOrigin);
    if (origin === undefined) return false;
    const allowed = await origins.allows(origin);
    if (!isPreflight(req)) {
      if (allowed) Object.assign(headers, corsHeaders(origin));
      return false;
    }
    const ownHeaders = allowed && preflightHeaders(origin, allowedMethods);
    res.writeHead(204, { ...headers, ...commonHeaders, ...ownHeaders }).end();
    return true;
  };
}

/** CORS: every response to an allowed origin says so, errors too. Preflights have no token and are answered here. */
import { methods } from '../../../contract/contract.ts';
import type { PageOrigins } from '../../../identity/clients/page-origins.ts';
import { corsHeaders, isPreflight, preflightHeaders, varyByOrigin } from '../cross-origin.ts';
import type { RequestContext } from '../request-context.ts';
import { commonHeaders } from '../responses/respond.ts';

const allowedMethods = methods.map((method) => method.toUpperCase());

type CorsStep = (exchange: RequestContext) => boolean | Promise<boolean>;

/** @throws the database error when the allowed origins can't be read */
export function handleCors(origins: PageOrigins): CorsStep {
  const applyCors = (exchange: RequestContext, origin: string, allowed: boolean): boolean => {
    const { req, res, requestLog } = exchange;
    if (!isPreflight(req)) {
      if (allowed) Object.assign(requestLog.headers, corsHeaders(origin));
      return false;
    }
    res
      .writeHead(204, {
        ...requestLog.headers,
        ...commonHeaders,
        ...(allowed && preflightHeaders(origin, allowedMethods)),
      })
      .end();
    return true;
  };
  return (exchange) => {
    const { headers, requestLog } = exchange;
    Object.assign(requestLog.headers, varyByOrigin);
    const { origin } = headers;
    if (origin === undefined) return false;
    const allowed = origins.allows(origin);
    return allowed instanceof Promise
      ? allowed.then((isAllowed) => applyCors(exchange, origin, isAllowed))
      : applyCors(exchange, origin, allowed);
  };
}

/** CORS for the client endpoints `/oauth/token` and `/oauth/revoke`. */
import type { Request, RequestHandler, Response } from 'express';
import type { PageOrigins } from '../../identity/clients/page-origins.ts';
import { corsHeaders, isPreflight, preflightHeaders, varyByOrigin } from '../http/cross-origin.ts';

export function handlePreflight(origins: PageOrigins, methods: readonly string[] = ['POST']): RequestHandler {
  return async (req, res, next) => {
    if (!isPreflight(req)) return next();
    const origin = req.headers.origin!;
    res.set({ ...varyByOrigin, ...((await origins.allows(origin)) && preflightHeaders(origin, methods)) });
    res.status(204).end();
  };
}

/** Adds CORS headers to responses that bypass the library, which sets its own. */
export async function addCorsHeaders(
  origins: PageOrigins,
  { headers: { origin } }: Request,
  res: Response,
): Promise<void> {
  res.set({ ...varyByOrigin, ...(origin !== undefined && (await origins.allows(origin)) && corsHeaders(origin)) });
}

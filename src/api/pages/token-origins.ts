/** CORS for the client endpoints `/oauth/token` and `/oauth/revoke`. */
import type { Request, RequestHandler, Response } from 'express';
import type { PageOrigins } from '../../identity/clients/page-origins.ts';
import { isPreflight, preflightHeaders, sharingHeaders, varies } from '../http/cross-origin.ts';

export function answerPreflight(origins: PageOrigins, methods: readonly string[] = ['POST']): RequestHandler {
  return async (req, res, next) => {
    if (!isPreflight(req)) return next();
    const origin = req.headers.origin!;
    res.set({ ...varies, ...((await origins.allows(origin)) && preflightHeaders(origin, methods)) });
    res.status(204).end();
  };
}

/** Adds CORS headers to responses that bypass the library, which sets its own. */
export async function shareRefusal(
  origins: PageOrigins,
  { headers: { origin } }: Request,
  res: Response,
): Promise<void> {
  res.set({ ...varies, ...(origin !== undefined && (await origins.allows(origin)) && sharingHeaders(origin)) });
}

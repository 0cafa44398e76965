/** Which pages may call the endpoints of clients, `/oauth/token` and `/oauth/revoke`, from their browser. */
import type { Request, RequestHandler, Response } from 'express';
import type { PageOrigins } from '../../identity/clients/page-origins.ts';
import { isPreflight, preflightHeaders, sharingHeaders, varies } from '../http/cross-origin.ts';

/** Answers a preflight; any other OPTIONS is left to who comes next. */
export function answerPreflight(origins: PageOrigins, methods: readonly string[] = ['POST']): RequestHandler {
  return async (req, res, next) => {
    if (!isPreflight(req)) return next();
    const origin = req.headers.origin!;
    res.set({ ...varies, ...((await origins.allows(origin)) && preflightHeaders(origin, methods)) });
    res.status(204).end();
  };
}

/** Lets the page that asked read an answer that is made without the library, which does it for its own. */
export async function shareRefusal(
  origins: PageOrigins,
  { headers: { origin } }: Request,
  res: Response,
): Promise<void> {
  res.set({ ...varies, ...(origin !== undefined && (await origins.allows(origin)) && sharingHeaders(origin)) });
}

/** The page behind a mailed link. Opening it consumes nothing; submitting its form does. */
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Language } from '../../../contract/languages/language.ts';
import type { Text } from '../../../contract/languages/text.ts';
import { readForm } from '../shared/forms.ts';
import { failurePage, type PageContext, send } from '../shared/page-context.ts';
import { setOwnLanguage } from '../shared/page-language.ts';
import type { Page } from '../shared/pages.ts';

export interface LinkTurn<Found> {
  context: PageContext;
  req: Request;
  res: Response;
  token: string;
  found: Found;
}

interface Linked {
  /** The recipient's own setting, if the creator of the link may know it. */
  language: Language | undefined;
}

interface LinkPage<Found extends Linked> {
  path: string;
  /** @returns the subject of the link; undefined for an invalid one */
  find(token: string, req: Request): Promise<Found | undefined>;
  formOf(turn: LinkTurn<Found>): Page | Promise<Page>;
  submit(turn: LinkTurn<Found>): Promise<void>;
  /** The same page for every invalid link, so that it doesn't reveal why. */
  invalidPage: Page;
  advice: Text;
}

export function linkPages<Found extends Linked>(context: PageContext, page: LinkPage<Found>): Router {
  const { path, find, formOf, submit, invalidPage, advice } = page;
  const turn =
    (work: (turn: LinkTurn<Found>) => Promise<void> | void): RequestHandler =>
    async (req, res) => {
      const token = String(req.params.token);
      const found = await find(token, req);
      setOwnLanguage(res, found?.language);
      await (found ? work({ context, req, res, token, found }) : send(res, 410, invalidPage));
    };
  const router = express.Router({ strict: true, caseSensitive: true });
  router
    .route(`${path}/:token`)
    .get(turn(async (linkTurn) => send(linkTurn.res, 200, await formOf(linkTurn))))
    .post(readForm, requireSameBrowser(context), turn(submit));
  router.use(path, failurePage(context.log, advice));
  return router;
}

/** Rejects forms that weren't shown to this browser. */
export function requireSameBrowser({ forms }: Pick<PageContext, 'forms'>): RequestHandler {
  return (req, _res, next) => {
    forms.checkBrowser(req);
    next();
  };
}

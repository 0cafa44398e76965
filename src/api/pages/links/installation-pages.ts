/** The page behind the link mailed to admins when the person who installed an app has left: keep the app or remove it. */
import type { Router } from 'express';
import { type Text, t } from '../../../contract/languages/text.ts';
import {
  decide,
  findPendingInstallation,
  type PendingInstallation,
} from '../../../product/connections/decide-installation.ts';
import { field } from '../shared/forms.ts';
import { originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { installationPage, noticePage, type Page } from '../shared/pages.ts';
import { type LinkTurn, linkPages } from './link-pages.ts';

type Turn = LinkTurn<PendingInstallation>;

export function installationPages(context: PageContext): Router {
  return linkPages(context, {
    path: '/oauth/installation',
    find: (token) => findPendingInstallation(context.db, context.installationLinks, token),
    formOf,
    submit,
    invalidPage,
    advice: t`Reopen the link in your email and try again.`,
  });
}

function formOf({ context, req, res, found }: Turn): Page {
  const { app, company } = found;
  return installationPage({
    app,
    company,
    because: reasonOf(found),
    action: req.path,
    csrf_token: context.forms.browserToken(req, res),
  });
}

function reasonOf({ company, demoted, suspended_at: suspendedAt }: PendingInstallation): Text {
  if (suspendedAt !== null)
    return t`It acts on behalf of ${company} and is suspended: the person who installed it now has a lower role than the app. If you keep it, it works again, and you become the person who installed it.`;
  return demoted === undefined
    ? t`It acts on behalf of ${company}. The person who installed it has left. If you keep it, you become the person who installed it.`
    : t`It acts on behalf of ${company}. The person who installed it has a lower role now. If you keep it, you become the person who installed it.`;
}

async function submit(turn: Turn): Promise<void> {
  const { context, req, res, found } = turn;
  const decision = field(req, 'action');
  if (decision !== 'keep' && decision !== 'end') return send(res, 400, formOf(turn));
  await decide(context.db, found, decision, originOfPage(req, res));
  send(res, 200, decision === 'keep' ? keptPage(found) : endedPage(found));
}

const invalidPage = noticePage({
  title: t`This link no longer works`,
  text: [t`The app has already ended, or you are no longer an admin of the company.`],
});

const keptPage = ({ app, company }: PendingInstallation) =>
  noticePage({
    title: t`The app keeps working`,
    text: [t`${app} keeps acting for ${company} and you are now its responsible admin.`],
  });

const endedPage = ({ app, company }: PendingInstallation) =>
  noticePage({ title: t`The app has ended`, text: [t`${app} can no longer act for ${company}.`] });

/** The apps a person has allowed, in all companies, to revoke them. It needs no password, because it only removes access. */
import type { Router } from 'express';
import { t } from '../../../contract/languages/text.ts';
import { ownConnections, revokeOwnConnection } from '../../../product/connections/own-connections.ts';
import { field } from '../shared/forms.ts';
import { originOfPage, type PageContext } from '../shared/page-context.ts';
import { ownForm, type Page, page } from '../shared/pages.ts';
import { accountRoutes, type Visit } from './account-visit.ts';

export function accountAppPages(context: PageContext): Router {
  return accountRoutes(context, { path: '/account/apps', show, submit });
}

async function show({ context, user, form }: Visit): Promise<Page> {
  const apps = (await ownConnections(context.db, user.id)).map(
    ({ created_at: createdAt, last_used_at: lastUsedAt, companies, ...app }) => ({
      ...app,
      companies: companies.join(', '),
      allowed: createdAt.slice(0, 10),
      used: lastUsedAt?.slice(0, 10),
    }),
  );
  return page('@account/apps', { ...form, title: t`Your apps`, apps }, ownForm);
}

async function submit({ context, req, res, user, form }: Visit, action: string): Promise<void> {
  if (action === 'end') await revokeOwnConnection(context.db, user.id, field(req, 'id'), originOfPage(req, res));
  res.redirect(303, form.action);
}

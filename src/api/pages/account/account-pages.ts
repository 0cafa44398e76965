/** The account's home page: profile and companies; signs out everywhere and revokes all apps. */
import type { Router } from 'express';
import { activeCompanies } from '../../../identity/grants/consent.ts';
import type { PageContext } from '../shared/page-context.ts';
import { accountPage, type Page } from '../shared/pages.ts';
import { roles } from '../sign-in/interactions.ts';
import { signOutEverywhere } from './account-devices.ts';
import { accountRoutes, type Visit } from './account-visit.ts';

export function accountPages(context: PageContext): Router {
  return accountRoutes(context, { path: '/account', show, submit });
}

async function show({ context, user, form, session }: Visit): Promise<Page> {
  const companies = (await activeCompanies(context.db, session.accountId)).map(({ name, role }) => ({
    name,
    role: roles[role]!,
  }));
  return accountPage({ ...form, user, companies });
}

async function submit(visit: Visit, action: string): Promise<void> {
  if (action === 'sign-out-everywhere') return signOutEverywhere(visit);
  visit.res.redirect(303, visit.form.action);
}

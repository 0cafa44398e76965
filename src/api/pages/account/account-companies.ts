/** The companies a person belongs to, to leave one. They can't undo that themselves. */
import type { Router } from 'express';
import { validate } from 'uuid';
import { type Text, t } from '../../../contract/languages/text.ts';
import { activeCompanies } from '../../../identity/grants/consent.ts';
import { leaveCompany } from '../../../product/companies/leave-company.ts';
import { field } from '../shared/forms.ts';
import { originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { noticePage, ownForm, type Page, page } from '../shared/pages.ts';
import { roles } from '../sign-in/interactions.ts';
import { accountRoutes, type Visit } from './account-visit.ts';

export function accountCompanyPages(context: PageContext): Router {
  return accountRoutes(context, {
    path: '/account/companies',
    proof: t`Before you leave a company, confirm your identity.`,
    show: (visit) => list(visit),
    submit,
  });
}

async function list({ context, user, form }: Visit, error?: Text): Promise<Page> {
  const companies = (await activeCompanies(context.db, user.id)).map(({ id, name, role }) => {
    return { id, name, role: roles[role]! };
  });
  return page('@account/companies', { ...form, title: t`Your companies`, companies, error }, ownForm);
}

async function submit(visit: Visit, action: string): Promise<void> {
  const { context, req, res, user, form } = visit;
  const id = field(req, 'id');
  const company = validate(id) && (await activeCompanies(context.db, user.id)).find((each) => each.id === id);
  if (!company) return res.redirect(303, form.action);
  if (action !== 'leave-now') return send(res, 200, leavePage(visit, company));
  const result = await leaveCompany(context.db, context.mail, id, user.id, originOfPage(req, res));
  if (result === 'last_admin') return send(res, 409, await list(visit, lastAdmin(company.name)));
  send(res, 200, leftPage(company.name));
}

function leavePage({ form }: Visit, { id, name }: { id: string; name: string }): Page {
  return page('@account/leave', { ...form, title: t`Leave ${name}?`, id, name }, ownForm);
}

function lastAdmin(company: string): Text {
  return t`You are the last admin of ${company}, and a company needs one. Make somebody else an admin, then leave.`;
}

function leftPage(company: string): Page {
  return noticePage({
    title: t`You have left ${company}`,
    text: [
      t`You and your apps no longer have access to it. Its admins were notified.`,
      t`Your profile there is the company’s, and is inactive now. To come back, you need an invitation.`,
    ],
    link: { href: '/account', label: t`Back to your account` },
  });
}

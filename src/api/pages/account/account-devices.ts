/** Signs out devices. It needs no password, because it only removes access, and someone who finds a foreign device acts fast. */
import type { Router } from 'express';
import { validate } from 'uuid';
import { t, tn } from '../../../contract/languages/text.ts';
import { listDevices, signOutDevice } from '../../../identity/devices/devices.ts';
import { revokeAccess } from '../../../identity/grants/revoke-access.ts';
import { queueForUser } from '../../../platform/audit/account-entries.ts';
import { field } from '../shared/forms.ts';
import { originOfPage, type PageContext, send } from '../shared/page-context.ts';
import { noticePage, ownForm, type Page, page } from '../shared/pages.ts';
import { accountRoutes, type Visit } from './account-visit.ts';

export function accountDevicePages(context: PageContext): Router {
  return accountRoutes(context, { path: '/account/devices', show, submit });
}

async function show({ context, user, session, form }: Visit): Promise<Page> {
  const devices = await listDevices(context.db, user.id, session.uid);
  const deviceRows = devices.map(
    ({ created_at: createdAt, last_seen_at: lastSeenAt, app_count: appCount, ...device }) => ({
      ...device,
      since: createdAt.slice(0, 10),
      seen: lastSeenAt.slice(0, 16).replace('T', ' '),
      apps:
        appCount > 0 ? tn(appCount, t`An app was allowed on it`, t`${appCount} apps were allowed on it`) : undefined,
    }),
  );
  return page('@account/devices', { ...form, title: t`Your devices`, devices: deviceRows }, ownForm);
}

async function submit(visit: Visit, action: string): Promise<void> {
  if (action === 'sign-out-everywhere') return signOutEverywhere(visit);
  if (action === 'sign-out') return signOutOne(visit);
  visit.res.redirect(303, visit.form.action);
}

async function signOutOne(visit: Visit): Promise<void> {
  const { context, res, user, session, form } = visit;
  const { db, encryption_keys: encryptionKeys } = context;
  const id = field(visit.req, 'id');
  if (!validate(id)) return res.redirect(303, form.action);
  const devices = await listDevices(db, user.id, session.uid);
  await db.global.transaction().execute(async (tx) => {
    const details = await signOutDevice(tx, encryptionKeys, user.id, id);
    const target = { type: 'user', id: user.id };
    const entry = { ...actorAndOrigin(visit), action: 'device.signed_out', target };
    if (details) await queueForUser(tx, user.id, { ...entry, details });
  });
  const isThis = devices.some((device) => device.id === id && device.is_this);
  if (!isThis) return res.redirect(303, form.action);
  leave(visit, signedOutHere);
}

export async function signOutEverywhere(visit: Visit): Promise<void> {
  const { context, user } = visit;
  const { db, encryption_keys: encryptionKeys } = context;
  await revokeAccess(db, encryptionKeys, user.id, actorAndOrigin(visit));
  leave(visit, signedOutEverywhere);
}

function leave({ res, forget }: Visit, notice: Page): void {
  forget();
  res.set('Clear-Site-Data', '"cache", "storage"');
  send(res, 200, notice);
}

function actorAndOrigin({ req, res, user }: Visit) {
  return { actor: { type: 'user', user_id: user.id } as const, origin: originOfPage(req, res) };
}

const signedOutEverywhere = noticePage({
  title: t`You are signed out everywhere`,
  text: [t`All browsers and apps have to sign in again.`],
});

const signedOutHere = noticePage({
  title: t`This browser is signed out`,
  text: [t`Apps that you allowed on it have to sign in again.`],
});

/** Sign-in to the account pages. The service itself is the client; there is no consent, code, or token. */
import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { type Text, t } from '../../../contract/languages/text.ts';
import { accountClientId, accountPath } from '../../../identity/clients/account-client.ts';
import { canRedirectTo } from '../../../identity/clients/own-clients.ts';
import { openid } from '../../../identity/tokens/openid-scope.ts';
import { newSecret } from '../../../platform/secrets/secrets.ts';
import { type PageContext, send } from '../shared/page-context.ts';
import { noticePage } from '../shared/pages.ts';
import type { Turn } from './interaction-turn.ts';

/** The account pages. A sign-in returns to one of these and nowhere else. */
export const accountPaths = [
  accountPath,
  '/account/name',
  '/account/address',
  '/account/password',
  '/account/devices',
  '/account/apps',
  '/account/companies',
  '/account/second-factor',
] as const;

export type AccountPath = (typeof accountPaths)[number];

export const accountName: Text = t`your account`;

export function startSignIn(
  { base_url: baseUrl }: Pick<PageContext, 'base_url'>,
  res: Response,
  path: AccountPath,
): void {
  if (!canRedirectTo(baseUrl)) {
    send(res, 401, signInElsewhere);
    return;
  }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: accountClientId,
    redirect_uri: baseUrl + accountPath,
    scope: openid,
    state: path,
    // The verifier is discarded: the code is never exchanged.
    code_challenge: createHash('sha256').update(newSecret()).digest('base64url'),
    code_challenge_method: 'S256',
  });
  res.set('Cache-Control', 'no-store').redirect(303, `/oauth/authorize?${query}`);
}

export function isForAccount({ interaction }: Pick<Turn, 'interaction'>): boolean {
  return interaction.params.client_id === accountClientId;
}

/** Runs in place of the consent. */
export async function returnToAccount({ interaction, res }: Turn): Promise<void> {
  await interaction.destroy();
  const path = accountPaths.find((each) => each === interaction.params.state) ?? accountPath;
  res.set('Cache-Control', 'no-store').redirect(303, path);
}

const signInElsewhere = noticePage({
  title: t`Sign in first`,
  text: [t`Open the app that you work with and sign in there. Then open this page again, in the same browser.`],
});

export const notSignedIn = noticePage({
  title: t`You are not signed in`,
  text: [t`Sign in to see and change your account.`],
  link: { href: accountPath, label: t`Sign in` },
});

/** The address of the page that links an account, sealed for the browser that was sent to the provider. */
import type { Request } from 'express';
import { openTicket, ticketOf } from '../../identity/factors/challenges.ts';
import type { Claims } from '../../product/sign-in-connections/claims.ts';
import type { ConnectionAtSignIn } from '../../product/sign-in-connections/connection-at-sign-in.ts';
import { emailIn } from '../../product/sign-in-connections/link-member.ts';
import { browserOf, type InteractionErrand } from './connection-start.ts';
import type { PageContext } from './shared/page-context.ts';

const validMs = 15 * 60_000;
export const linkAccountPath = '/oauth/link-account';

interface PendingLink {
  connection_id: string;
  claims: Claims;
  errand: InteractionErrand;
}

type Context = Pick<PageContext, 'factors' | 'base_url'>;

const purposeOf = (secret: string) => `link account\n${secret}`;

/** @returns undefined if the provider sent no usable email address */
export function linkAccountAddress(
  context: Context,
  req: Request,
  connection: ConnectionAtSignIn,
  { sub, email, email_verified: verified, acr, amr, auth_time: authTime, sid }: Claims,
  errand: InteractionErrand,
): string | undefined {
  const secret = browserOf(context, req);
  const claims: Claims = { sub, email, email_verified: verified, acr, amr, auth_time: authTime, sid };
  if (!secret || !emailIn(claims)) return undefined;
  const pending: PendingLink = { connection_id: connection.id, claims, errand };
  return `${linkAccountPath}/${ticketOf(context.factors.steps, purposeOf(secret), JSON.stringify(pending), validMs)}`;
}

/** @returns undefined in another browser, or if it has expired */
export function openLinkAccount(context: Context, req: Request, token: string): PendingLink | undefined {
  const secret = browserOf(context, req);
  const opened = secret && openTicket(context.factors.steps, purposeOf(secret), token);
  return opened ? (JSON.parse(opened) as PendingLink) : undefined;
}

/** The address that an admin opens to test a connection. It works for ten minutes. */
import { openToken, sealToken } from '../../platform/secrets/sealed-tokens.ts';
import type { SealContext } from '../../platform/secrets/secrets.ts';
import { isId } from '../access/records.ts';
import type { SignInSettings } from './sign-in-settings.ts';

const validMs = 10 * 60_000;
const ticketContext = (id: string): SealContext => ['sign-in-test', id];

interface Test {
  connection_id: string;
  user_id: string;
}

export function startTest(
  { vault }: SignInSettings,
  baseUrl: string,
  { connection_id: id, user_id: userId }: Test,
): { url: string; expires_at: string } {
  const ticket = sealToken(vault, ticketContext(id), [userId], validMs);
  const expiresAt = new Date(Date.now() + validMs).toISOString();
  return { url: `${baseUrl}/oauth/connections/${id}/test?ticket=${ticket}`, expires_at: expiresAt };
}

/** @returns the admin who requested it; undefined for an expired ticket, or one of another connection */
export function openTest({ vault }: SignInSettings, id: string, ticket: string): string | undefined {
  if (!isId(id)) return undefined;
  const opened = openToken(vault, ticketContext(id.toLowerCase()), ticket);
  return opened && !opened.is_over ? opened.values[0] : undefined;
}

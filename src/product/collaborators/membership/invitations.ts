/** Invitations: a mailed link that admits one person once, with a secret stored as a hash. A new one replaces earlier ones. */
import { sql } from 'kysely';
import type { components } from '../../../../generated/api.ts';
import type { Tenant, TenantTransaction } from '../../../platform/db/tenant.ts';
import { secretHash } from '../../../platform/secrets/secrets.ts';

type InvitationState = components['schemas']['CollaboratorStatusResource']['invitation'];

export async function cancelInvitations(tx: TenantTransaction, collaboratorIds: readonly string[]): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ state: 'cancelled' })
    .where('collaborator_id', '=', sql<string>`any(${collaboratorIds}::uuid[])`)
    .where('state', '=', 'sent')
    .execute();
}

export async function newestInvitation(tenant: Tenant, id: string): Promise<InvitationState> {
  const rows = await tenant
    .selectFrom('invitations')
    .select(['state', 'sent_at', 'expires_at', (eb) => eb.fn.countAll<number>().over().as('send_count')])
    .where('collaborator_id', '=', id)
    .orderBy('sent_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  const newest = rows[0];
  if (!newest) return { state: 'none', sent_at: null, expires_at: null, send_count: 0 };
  const expired = newest.state === 'sent' && newest.expires_at <= new Date().toISOString();
  return { ...newest, state: expired ? 'expired' : (newest.state as InvitationState['state']) };
}

export function invitationToken(companyId: string, secret: string): string {
  return `${Buffer.from(companyId.replaceAll('-', ''), 'hex').toString('base64url')}.${secret}`;
}

/** @returns undefined for an invalid token */
export function parseInvitationToken(token: string): { company_id: string; token_hash: Buffer } | undefined {
  const [company, secret] = token.split('.');
  if (!secret || company?.length !== 22) return undefined;
  const hex = Buffer.from(company, 'base64url').toString('hex');
  const companyId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return companyId.length === 36 ? { company_id: companyId, token_hash: secretHash(secret) } : undefined;
}

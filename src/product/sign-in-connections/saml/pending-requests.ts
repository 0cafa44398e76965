/**
 * Pending requests to SAML providers. A response is posted from another site, without cookies, so its outcome is stored sealed
 * until the browser that was sent to the provider fetches it with its cookie. This prevents login CSRF.
 */
import type { Database } from '../../../platform/db/client.ts';
import { removeOlder } from '../../../platform/db/remove-older.ts';
import { openToken, sealToken } from '../../../platform/secrets/sealed-tokens.ts';
import { type SealContext, secretHash, type Vault } from '../../../platform/secrets/secrets.ts';
import type { Claims } from '../claims.ts';

interface PendingRequest {
  connection_id: string;
  /** The response must name it. */
  request_id: string;
  /** Purpose of the sign-in, sealed for the browser. */
  begun: string;
}

/** The claims, or the reason for refusing the response, in English, for an admin who tests the connection. */
export type Outcome = { claims: Claims } | { refused: string };

const outcomeContext = (connectionId: string): SealContext => ['saml-outcome', connectionId];

export async function addRequest(
  db: Database,
  relayState: string,
  request: PendingRequest,
  validMs: number,
): Promise<void> {
  const expiresAt = new Date(Date.now() + validMs).toISOString();
  await db.global
    .insertInto('sign_in_requests')
    .values({ ...request, relay_state_hash: secretHash(relayState), expires_at: expiresAt })
    .execute();
}

/** @returns a request without a response yet; undefined for an unsolicited response */
export async function waitingRequest(
  db: Database,
  connectionId: string,
  relayState: string,
): Promise<PendingRequest | undefined> {
  return requests(db, connectionId, relayState).where('outcome', 'is', null).executeTakeFirst();
}

/** @returns false if there already is a response */
export async function storeOutcome(
  db: Database,
  vault: Vault,
  { connectionId, relayState }: { connectionId: string; relayState: string },
  outcome: Outcome,
): Promise<boolean> {
  const validMs = 15 * 60_000;
  const stored = await db.global
    .updateTable('sign_in_requests')
    .set({ outcome: sealToken(vault, outcomeContext(connectionId), [JSON.stringify(outcome)], validMs) })
    .where('relay_state_hash', '=', secretHash(relayState))
    .where('connection_id', '=', connectionId)
    .where('outcome', 'is', null)
    .returning('connection_id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** @returns a request with its response; `consumeRequest` consumes it */
export async function requestWithOutcome(
  db: Database,
  vault: Vault,
  connectionId: string,
  relayState: string,
): Promise<(PendingRequest & { outcome: Outcome }) | undefined> {
  const found = await requests(db, connectionId, relayState).where('outcome', 'is not', null).executeTakeFirst();
  const opened = found && openToken(vault, outcomeContext(connectionId), found.outcome!);
  if (!found || !opened || opened.is_over) return undefined;
  return { ...found, outcome: JSON.parse(opened.values[0]!) as Outcome };
}

/** @returns false if it was consumed before */
export async function consumeRequest(db: Database, relayState: string): Promise<boolean> {
  const ended = await db.global
    .deleteFrom('sign_in_requests')
    .where('relay_state_hash', '=', secretHash(relayState))
    .returning('connection_id')
    .executeTakeFirst();
  return ended !== undefined;
}

/** Called by the worker regularly. @returns the number of deleted rows */
export async function removeOldRequests(db: Database): Promise<number> {
  return removeOlder(db.global, 'sign_in_requests', 'expires_at', new Date().toISOString());
}

function requests(db: Database, connectionId: string, relayState: string) {
  return db.global
    .selectFrom('sign_in_requests')
    .select(['connection_id', 'request_id', 'begun', 'outcome'])
    .where('relay_state_hash', '=', secretHash(relayState))
    .where('connection_id', '=', connectionId)
    .where('expires_at', '>', new Date().toISOString());
}

/** What pages with passkeys carry, and what comes back. */
import type { Request } from 'express';
import type { Kysely } from 'kysely';
import { say } from '../../../contract/languages/text.ts';
import { newChallenge, openChallenge, useChallenge } from '../../../identity/factors/challenges.ts';
import { creationOptions, type RelyingParty, requestOptions, usePasskey } from '../../../identity/factors/passkeys.ts';
import type { Vault } from '../../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../../platform/tenancy/tables.ts';
import { field } from './forms.ts';

export interface PasskeyForm {
  /** `offer`: also among the names that the browser offers for the field of the address. */
  mode: 'create' | 'get' | 'offer';
  /** For the browser, as JSON. */
  options: string;
  ticket: string;
}

/** Second factors, as pages use them. */
export interface Factors {
  /** Seals secrets of authenticator apps. */
  sealed: Vault;
  /** Seals what pages carry from one step to the next. */
  steps: Vault;
  /** Undefined where browsers make no passkeys. */
  rp: RelyingParty | undefined;
}

interface User {
  id: string;
  name: string;
  email: string;
}

type Db = Kysely<GlobalTables>;

/** A form that makes a passkey. */
export async function creationForm(db: Db, { steps, rp }: Factors, purpose: string, user: User) {
  if (!rp) return undefined;
  const { challenge, ticket } = newChallenge(steps, purpose);
  const options = JSON.stringify(await creationOptions(db, rp, user, challenge));
  return { mode: 'create', options, ticket } satisfies PasskeyForm;
}

/** A form that signs in. @param user_id whose passkeys; without it anybody's, which the browser knows */
export async function requestForm(db: Db, { steps, rp }: Factors, purpose: string, userId?: string) {
  if (!rp) return undefined;
  const { challenge, ticket } = newChallenge(steps, purpose);
  const options = JSON.stringify(await requestOptions(db, rp, challenge, userId));
  return { mode: userId ? 'get' : 'offer', options, ticket } satisfies PasskeyForm;
}

/** Its page has a fresh challenge, so the next try is none. */
export const stalePasskey = say`The page was open for too long, or this was sent twice. Use your passkey once more.`;

/**
 * @returns what came back, when its challenge is of this purpose; `stale` when it has expired or was answered before, which happens
 *   to whoever leaves a page open or goes back to one
 */
export async function answered(db: Db, { steps, rp }: Factors, purpose: string, req: Request) {
  const opened = openChallenge(steps, purpose, field(req, 'ticket'));
  if (!rp || !opened) return undefined;
  if (opened === 'stale' || !(await useChallenge(db, opened.challenge))) return 'stale';
  return { rp, sent: field(req, 'credential'), challenge: opened.challenge };
}

/** @returns whose passkey has answered; undefined when nobody's has; `stale` as above */
export async function passkeyOwner(db: Db, factors: Factors, purpose: string, req: Request) {
  const answer = await answered(db, factors, purpose, req);
  return answer && answer !== 'stale' ? usePasskey(db, answer.rp, answer) : answer;
}

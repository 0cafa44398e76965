/** The form data of pages with passkeys, and the browser's response. */
import type { Request } from 'express';
import type { Kysely } from 'kysely';
import { t } from '../../../contract/languages/text.ts';
import { newChallenge, openChallenge, useChallenge } from '../../../identity/factors/challenges.ts';
import { creationOptions, type RelyingParty, requestOptions, usePasskey } from '../../../identity/factors/passkeys.ts';
import type { Vault } from '../../../platform/secrets/secrets.ts';
import type { GlobalTables } from '../../../platform/tenancy/tables.ts';
import { field } from './forms.ts';

export interface PasskeyForm {
  /** `offer`: also in the autofill of the address field. */
  mode: 'create' | 'get' | 'offer';
  options: string;
  ticket: string;
}

export interface Factors {
  sealed: Vault;
  /** Encrypts what pages carry from one step to the next. */
  steps: Vault;
  /** Undefined where browsers don't support passkeys. */
  rp: RelyingParty | undefined;
}

interface User {
  id: string;
  name: string;
  email: string;
}

type Db = Kysely<GlobalTables>;

export async function creationForm(db: Db, { steps, rp }: Factors, purpose: string, user: User) {
  if (!rp) return undefined;
  const { challenge, ticket } = newChallenge(steps, purpose);
  const options = JSON.stringify(await creationOptions(db, rp, user, challenge));
  return { mode: 'create', options, ticket } satisfies PasskeyForm;
}

/** A form that signs in. @param userId whose passkeys; without it, any that the browser knows */
export async function requestForm(db: Db, { steps, rp }: Factors, purpose: string, userId?: string) {
  if (!rp) return undefined;
  const { challenge, ticket } = newChallenge(steps, purpose);
  const options = JSON.stringify(await requestOptions(db, rp, challenge, userId));
  return { mode: userId ? 'get' : 'offer', options, ticket } satisfies PasskeyForm;
}

/** The page gets a fresh challenge, so the next try works. */
export const stalePasskey = t`The page was open for too long, or this was sent twice. Use your passkey again.`;

/** @returns the browser's response; `stale` if its challenge expired or was used, as on a page opened from the history */
export async function passkeyResponse(db: Db, { steps, rp }: Factors, purpose: string, req: Request) {
  const opened = openChallenge(steps, purpose, field(req, 'ticket'));
  if (!rp || !opened) return undefined;
  if (opened === 'stale' || !(await useChallenge(db, opened.challenge))) return 'stale';
  return { rp, sent: field(req, 'credential'), challenge: opened.challenge };
}

/** @returns the owner of the passkey; undefined if there is none; `stale` as above */
export async function passkeyOwner(db: Db, factors: Factors, purpose: string, req: Request) {
  const response = await passkeyResponse(db, factors, purpose, req);
  return response && response !== 'stale' ? usePasskey(db, response.rp, response) : response;
}

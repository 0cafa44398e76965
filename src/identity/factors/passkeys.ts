/**
 * Passkeys (WebAuthn Level 3): discoverable credentials that verify the person, by a finger, a face or a PIN. So one is two factors
 * by itself, and signs in without a password. The library checks what browsers send; here is what we ask for and keep.
 *
 * A credential is bound to the host of the service. Browsers make none for a host that is a plain address.
 */
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { newId } from '../../platform/values/ids.ts';

const serviceName = 'Collaborators';
const mostTransports = 10;

/** Loaded by the first passkey: it is a sixth of all modules, and many processes never see one. */
const webauthn = () => import('@simplewebauthn/server');

/** For whom credentials are made: this service, at its public address. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** @returns undefined where browsers make none: at a plain address, and without HTTPS anywhere but on localhost */
export function relyingParty(baseUrl: string): RelyingParty | undefined {
  const { hostname, origin, protocol } = new URL(baseUrl);
  if (hostname.startsWith('[') || isIP(hostname)) return undefined;
  const local = hostname === 'localhost' || hostname.endsWith('.localhost');
  return protocol === 'https:' || local ? { id: hostname, origin } : undefined;
}

interface Owner {
  id: string;
  name: string;
  email: string;
}

/** What the browser is asked for to make a passkey. @param challenge in base64url */
export async function creationOptions(db: Kysely<GlobalTables>, rp: RelyingParty, user: Owner, challenge: string) {
  const known = await db
    .selectFrom('passkeys')
    .select(['credential_id', 'transports'])
    .where('user_id', '=', user.id)
    .execute();
  return (await webauthn()).generateRegistrationOptions({
    rpName: serviceName,
    rpID: rp.id,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    attestationType: 'none',
    excludeCredentials: known.map(credentialOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** What the browser is asked for to sign in. @param user_id whose passkeys, when it is known; else any */
export async function requestOptions(db: Kysely<GlobalTables>, rp: RelyingParty, challenge: string, userId?: string) {
  const query = db.selectFrom('passkeys').select(['credential_id', 'transports']);
  const known = userId ? await query.where('user_id', '=', userId).execute() : [];
  return (await webauthn()).generateAuthenticationOptions({
    rpID: rp.id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    userVerification: 'required',
    allowCredentials: known.map(credentialOf),
  });
}

const text = z.string().max(20_000);
const credential = z.object({ id: text.min(1), rawId: text, type: z.literal('public-key') });
const made = credential.extend({
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.array(z.string().max(50)).max(mostTransports).optional(),
  }),
});
const signed = credential.extend({
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.nullish(),
  }),
});

/**
 * Keeps the passkey that a browser has made.
 * @param sent what the browser says, as JSON
 * @returns false when it is not what was asked for, or is somebody's already
 */
export async function addPasskey(
  db: Kysely<GlobalTables>,
  rp: RelyingParty,
  { user_id: userId, name, sent, challenge }: { user_id: string; name: string; sent: string; challenge: string },
): Promise<boolean> {
  const answer = parsed(made, sent);
  if (!answer) return false;
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await orUndefined(
    verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return false;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  const row = { id: newId(), user_id: userId, name, counter, transports };
  const keys = { credential_id: Buffer.from(id, 'base64url'), public_key: Buffer.from(publicKey) };
  const added = await db
    .insertInto('passkeys')
    .values({ ...row, ...keys })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/**
 * Whose passkey has answered this challenge.
 *
 * A device that counts its signatures never counts less: one that does is a copy, and is refused (section 6.1.1).
 * @param sent what the browser says, as JSON
 * @returns the user's id; undefined when it is nobody's, or not what was asked for
 */
export async function usePasskey(
  db: Kysely<GlobalTables>,
  rp: RelyingParty,
  { sent, challenge }: { sent: string; challenge: string },
): Promise<string | undefined> {
  const answer = parsed(signed, sent);
  const known = answer && (await findPasskey(db, answer.id));
  if (!answer || !known) return undefined;
  const { userHandle } = answer.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== known.user_id) return undefined;
  const response = { ...answer, clientExtensionResults: {} } as unknown as AuthenticationResponseJSON;
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await orUndefined(
    verifyAuthenticationResponse({
      response: { ...response, response: { ...response.response, userHandle: userHandle ?? undefined } as never },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      credential: { id: answer.id, publicKey: new Uint8Array(known.public_key), counter: known.counter },
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return undefined;
  const { newCounter } = verified.authenticationInfo;
  const used = await db
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: new Date().toISOString() })
    .where('id', '=', known.id)
    // As it was read: of two answers with one count, the other is a copy's.
    .where('counter', '=', known.counter)
    .returning('user_id')
    .executeTakeFirst();
  return used?.user_id;
}

function findPasskey(db: Kysely<GlobalTables>, credentialId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'public_key', 'counter'])
    .where('credential_id', '=', Buffer.from(credentialId, 'base64url'))
    .executeTakeFirst();
}

function credentialOf({ credential_id: credentialId, transports }: { credential_id: Buffer; transports: string[] }) {
  return { id: credentialId.toString('base64url'), transports };
}

function parsed<T>(schema: z.ZodType<T>, sent: string): T | undefined {
  try {
    return schema.parse(JSON.parse(sent));
  } catch {
    return undefined;
  }
}

/** The library throws for whatever is not as it was asked for. */
async function orUndefined<T>(verification: Promise<T>): Promise<T | undefined> {
  try {
    return await verification;
  } catch {
    return undefined;
  }
}

/**
 * Passkeys (WebAuthn Level 3): discoverable credentials with user verification (fingerprint, face, or PIN), so one counts as two
 * factors and replaces the password. The library verifies responses; this module sets the requirements and stores credentials.
 *
 * A credential is bound to the service's host name. Browsers don't create any for an IP address.
 */
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { GlobalTables } from '../../platform/tenancy/tables.ts';
import { newId } from '../../platform/values/ids.ts';

const serviceName = 'Collaborators';
const maxTransports = 10;

/** Loaded lazily: it is a sixth of all modules, and many processes never need it. */
const webauthn = () => import('@simplewebauthn/server');

/** The relying party: this service at its public address. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** @returns undefined where browsers don't support passkeys: on an IP address, and without HTTPS except on localhost */
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

/** Options for creating a passkey. @param challenge in base64url */
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

/** Options for signing in. @param userId allows only this user's passkeys; default: anybody's */
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
const registrationSchema = credential.extend({
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    transports: z.array(z.string().max(50)).max(maxTransports).optional(),
  }),
});
const assertionSchema = credential.extend({
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.nullish(),
  }),
});

/** Stores a passkey that a browser has created. @param sent the browser's response, as JSON */
export async function addPasskey(
  db: Kysely<GlobalTables>,
  rp: RelyingParty,
  { user_id: userId, name, sent, challenge }: { user_id: string; name: string; sent: string; challenge: string },
): Promise<boolean> {
  const credentialResponse = parsed(registrationSchema, sent);
  if (!credentialResponse) return false;
  const { verifyRegistrationResponse } = await webauthn();
  const verified = await orUndefined(
    verifyRegistrationResponse({
      response: { ...credentialResponse, clientExtensionResults: {} } as RegistrationResponseJSON,
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
 * Verifies a passkey's response. A signature counter that doesn't increase indicates a cloned device (section 6.1.1).
 * @param sent the browser's response, as JSON
 * @returns the user's id; undefined for an unknown passkey or an invalid response
 */
export async function usePasskey(
  db: Kysely<GlobalTables>,
  rp: RelyingParty,
  { sent, challenge }: { sent: string; challenge: string },
): Promise<string | undefined> {
  const credentialResponse = parsed(assertionSchema, sent);
  const known = credentialResponse && (await findPasskey(db, credentialResponse.id));
  if (!credentialResponse || !known) return undefined;
  const { userHandle } = credentialResponse.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== known.user_id) return undefined;
  const response = { ...credentialResponse, clientExtensionResults: {} } as unknown as AuthenticationResponseJSON;
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await orUndefined(
    verifyAuthenticationResponse({
      response: { ...response, response: { ...response.response, userHandle: userHandle ?? undefined } as never },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      credential: { id: credentialResponse.id, publicKey: new Uint8Array(known.public_key), counter: known.counter },
      requireUserVerification: true,
    }),
  );
  if (!verified?.verified) return undefined;
  const { newCounter } = verified.authenticationInfo;
  const used = await db
    .updateTable('passkeys')
    .set({ counter: newCounter, last_used_at: new Date().toISOString() })
    .where('id', '=', known.id)
    // Compare-and-set: the other of two responses with the same counter is from a clone.
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

/** The library throws for any invalid response. */
async function orUndefined<T>(verification: Promise<T>): Promise<T | undefined> {
  try {
    return await verification;
  } catch {
    return undefined;
  }
}

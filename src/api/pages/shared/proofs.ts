/** Remembers a fresh proof for some minutes in a separate cookie, bound to session and user: a stolen session has none. */
import { createHmac } from 'node:crypto';
import type { Request, Response } from 'express';
import { deriveKey, type EncryptionKeys, sameSecret } from '../../../platform/secrets/secrets.ts';
import { cookieOf } from './forms.ts';

const lifetimeMs = 10 * 60_000;

interface Session {
  uid: string;
  accountId?: string | undefined;
}

export interface Proofs {
  issue(res: Response, session: Session): void;
  has(req: Request, session: Session): boolean;
}

export function createProofs(encryptionKeys: EncryptionKeys, baseUrl: string): Proofs {
  const keys = encryptionKeys.map((key) => deriveKey(key, 'proofs'));
  const secure = baseUrl.startsWith('https:');
  const name = secure ? '__Host-proof' : 'oauth_proof';
  const seals = ({ uid, accountId }: Session, expires: string) =>
    keys.map((key) => createHmac('sha256', key).update(`${uid}\n${accountId}\n${expires}`).digest('base64url'));
  return {
    issue(res, session) {
      const expires = (Date.now() + lifetimeMs).toString(36);
      const attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
      res.cookie(name, `${expires}_${seals(session, expires)[0]}`, { ...attributes, maxAge: lifetimeMs });
    },
    has(req, session) {
      const value = cookieOf(req, name) ?? '';
      const at = value.indexOf('_');
      const [expires, seal] = [value.slice(0, at), Buffer.from(value.slice(at + 1))];
      const isGenuine = seals(session, expires).some((each) => sameSecret(Buffer.from(each), seal));
      return isGenuine && Number.parseInt(expires, 36) > Date.now();
    },
  };
}

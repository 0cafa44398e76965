/** The cookies by which browsers are known that have signed in before: see `identity/users/known-devices.ts`. */
import type { Request, Response } from 'express';
import { createKnownDevices } from '../../../identity/users/known-devices.ts';
import type { EncryptionKeys } from '../../../platform/secrets/secrets.ts';
import { cookieOf } from './forms.ts';

/** As long as browsers keep a cookie at most (RFC 6265bis, section 5.5); each sign-in begins it anew. */
const lifetimeMs = 400 * 86_400_000;
/** More people do not share a browser. */
const mostSent = 10;

export interface DeviceCookies {
  /** @returns the id of this browser, when it has signed in as that user before */
  of(req: Request, userId: string | undefined): string | undefined;
  /** For a browser whose person has just proved who they are. @returns its id */
  remember(req: Request, res: Response, userId: string): string;
  /** All that this browser has, whosever they are. */
  sentWith(req: Request): string[];
}

export function createDeviceCookies(encryptionKeys: EncryptionKeys, baseUrl: string): DeviceCookies {
  const devices = createKnownDevices(encryptionKeys);
  const secure = baseUrl.startsWith('https:');
  const prefix = secure ? '__Host-device_' : 'oauth_device_';
  const nameOf = (userId: string) => prefix + devices.nameOf(userId);
  return {
    of: (req, userId) => (userId ? devices.idOf(userId, cookieOf(req, nameOf(userId))) : undefined),
    remember(req, res, userId) {
      const value = devices.issue(userId, cookieOf(req, nameOf(userId)));
      const attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
      res.cookie(nameOf(userId), value, { ...attributes, maxAge: lifetimeMs });
      return devices.idOf(userId, value)!;
    },
    sentWith(req) {
      const names = req.headers.cookie?.split(';').map((pair) => pair.trim().split('=')[0]!) ?? [];
      const ours = names.filter((name) => name.startsWith(prefix)).slice(0, mostSent);
      return ours.flatMap((name) => cookieOf(req, name) ?? []);
    },
  };
}

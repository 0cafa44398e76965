/** The cookies that identify browsers with an earlier sign-in: see `identity/users/known-devices.ts`. */
import type { Request, Response } from 'express';
import { createKnownDevices } from '../../../identity/users/known-devices.ts';
import type { EncryptionKeys } from '../../../platform/secrets/secrets.ts';
import { cookieOf } from './forms.ts';

/** The maximum cookie lifetime in browsers (RFC 6265bis, section 5.5), renewed by each sign-in. */
const lifetimeMs = 400 * 86_400_000;
/** A browser is hardly shared by more people. */
const maxSent = 10;

export interface DeviceCookies {
  /** @returns the id of this browser, if that user has signed in with it */
  idOf(req: Request, userId: string | undefined): string | undefined;
  /** Called after a proof. @returns the id of the browser */
  remember(req: Request, res: Response, userId: string): string;
  valuesOf(req: Request): string[];
}

export function createDeviceCookies(encryptionKeys: EncryptionKeys, baseUrl: string): DeviceCookies {
  const devices = createKnownDevices(encryptionKeys);
  const secure = baseUrl.startsWith('https:');
  const prefix = secure ? '__Host-device_' : 'oauth_device_';
  const nameOf = (userId: string) => prefix + devices.nameOf(userId);
  return {
    idOf: (req, userId) => (userId ? devices.idOf(userId, cookieOf(req, nameOf(userId))) : undefined),
    remember(req, res, userId) {
      const value = devices.issue(userId, cookieOf(req, nameOf(userId)));
      const attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
      res.cookie(nameOf(userId), value, { ...attributes, maxAge: lifetimeMs });
      return devices.idOf(userId, value)!;
    },
    valuesOf(req) {
      const names = req.headers.cookie?.split(';').map((pair) => pair.trim().split('=')[0]!) ?? [];
      const ownNames = names.filter((name) => name.startsWith(prefix)).slice(0, maxSent);
      return ownNames.flatMap((name) => cookieOf(req, name) ?? []);
    },
  };
}

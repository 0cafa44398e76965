/** The cookies by which browsers are known that have signed in before: see `identity/users/known-devices.ts`. */
import type { Request, Response } from 'express';
import { createKnownDevices } from '../../identity/users/known-devices.ts';
import type { EncryptionKeys } from '../../platform/secrets/secrets.ts';
import { cookieOf } from './forms.ts';

/** As long as browsers keep a cookie at most (RFC 6265bis, section 5.5); each sign-in begins it anew. */
const lifetime_ms = 400 * 86_400_000;
/** More people do not share a browser. */
const most_sent = 10;

export interface DeviceCookies {
  /** @returns the id of this browser, when it has signed in as that user before */
  of(req: Request, user_id: string | undefined): string | undefined;
  /** For a browser whose person has just proved who they are. @returns its id */
  remember(req: Request, res: Response, user_id: string): string;
  /** All that this browser has, whosever they are. */
  sentWith(req: Request): string[];
}

export function createDeviceCookies(encryption_keys: EncryptionKeys, base_url: string): DeviceCookies {
  const devices = createKnownDevices(encryption_keys);
  const secure = base_url.startsWith('https:');
  const prefix = secure ? '__Host-device_' : 'oauth_device_';
  const nameOf = (user_id: string) => prefix + devices.nameOf(user_id);
  return {
    of: (req, user_id) => (user_id ? devices.idOf(user_id, cookieOf(req, nameOf(user_id))) : undefined),
    remember(req, res, user_id) {
      const value = devices.issue(user_id, cookieOf(req, nameOf(user_id)));
      const attributes = { httpOnly: true, sameSite: 'lax', secure, path: '/' } as const;
      res.cookie(nameOf(user_id), value, { ...attributes, maxAge: lifetime_ms });
      return devices.idOf(user_id, value)!;
    },
    sentWith(req) {
      const names = req.headers.cookie?.split(';').map((pair) => pair.trim().split('=')[0]!) ?? [];
      const ours = names.filter((name) => name.startsWith(prefix)).slice(0, most_sent);
      return ours.flatMap((name) => cookieOf(req, name) ?? []);
    },
  };
}

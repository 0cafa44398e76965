/**
 * Links to files that work without an access token: `/files/{token}`. Anybody with a link can fetch the file until it expires.
 * The token contains the file, its company, file name, and disposition, and is protected by a MAC (HMAC-SHA-256). Links aren't
 * stored.
 *
 * The first key signs, all keys verify. To rotate, add a new key in front, and remove the old one when its links have expired.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { t } from '../../contract/languages/text.ts';
import { notFound, Problem } from '../../contract/problem.ts';
import { sameSecret } from '../secrets/secrets.ts';
import { partsOfKey } from './store/storage.ts';

export interface FileLinksConfig {
  /** 32 bytes each; the first signs. */
  fileKeys: Buffer[];
}

export interface LinkedFile {
  company_id: string;
  key: string;
  filename: string;
  media_type: string;
  /** `inline` is allowed only for types that are safe in a browser. */
  disposition: 'inline' | 'attachment';
}

export interface FileLinks {
  /**
   * For a lifetime of a day, a file's URL stays the same for an hour, so that responses are stable and browsers can cache.
   * @param file its link is valid for exactly `expiresInS`; from a day on, for up to an hour longer
   */
  link(file: LinkedFile & { expiresInS: number }): string;
  /** When a link created now with this lifetime expires. */
  expiry(expiresInS: number): Date;
  /** The key in one of our URLs, expired or not; undefined for any other text. */
  keyOf(address: string): string | undefined;
  /** @throws 404 for an invalid token, 410 `file_expired` */
  open(token: string): OpenedLink;
}

export interface OpenedLink extends LinkedFile {
  expires_at: Date;
}

const macBytes = 32;
const dayS = 86_400;
const hourMs = 3_600_000;
const maxToken = 4_096;

/** @param baseUrl without a trailing slash @param now the clock, in milliseconds */
export function createFileLinks({ fileKeys }: FileLinksConfig, baseUrl: string, now = Date.now): FileLinks {
  const keys = fileKeys.map((key) => createSecretKey(key)); // raw bytes would be imported again for each link
  const expiry = (expiresInS: number) => {
    const endMs = now() + expiresInS * 1_000;
    return new Date(expiresInS >= dayS ? Math.ceil(endMs / hourMs) * hourMs : Math.floor(endMs / 1_000) * 1_000);
  };
  return {
    expiry,
    link({ company_id: companyId, key, filename, media_type: mediaType, disposition, expiresInS }) {
      if (partsOfKey(key)?.company_id !== companyId) throw new Error('a link to an object of another company');
      const expiresS = expiry(expiresInS).getTime() / 1_000;
      const fields: Fields = [key, filename, mediaType, disposition === 'inline' ? 1 : 0, expiresS];
      const payload = Buffer.from(JSON.stringify(fields));
      return `${baseUrl}/files/${Buffer.concat([mac(keys[0]!, payload), payload]).toString('base64url')}`;
    },
    keyOf(address) {
      const token = /\/files\/([\w-]+)$/.exec(address)?.[1];
      return token === undefined ? undefined : fieldsOf(keys, token)?.[0];
    },
    open(token) {
      const [key, filename, mediaType, inline, expiresS] = verified(keys, token);
      const expiresAt = new Date(expiresS * 1_000);
      if (expiresAt.getTime() <= now()) throw expired();
      const { company_id: companyId } = partsOfKey(key)!;
      return {
        company_id: companyId,
        key,
        filename,
        media_type: mediaType,
        disposition: inline ? 'inline' : 'attachment',
        expires_at: expiresAt,
      };
    },
  };
}

/** The payload: key (which includes the company), name, media type, whether inline, and expiry in seconds. */
type Fields = [key: string, filename: string, mediaType: string, inline: 0 | 1, expiresS: number];

/** @throws 404, so that a forged token reveals nothing */
function verified(keys: KeyObject[], token: string): Fields {
  const fields = fieldsOf(keys, token);
  if (!fields) throw notFound();
  return fields;
}

/** @returns undefined for an invalid token */
function fieldsOf(keys: KeyObject[], token: string): Fields | undefined {
  if (token.length > maxToken || !/^[\w-]+$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // Only the canonical encoding is valid, not other texts that decode to the same bytes.
  if (bytes.length <= macBytes || bytes.toString('base64url') !== token) return undefined;
  const sentMac = bytes.subarray(0, macBytes);
  const payload = bytes.subarray(macBytes);
  return keys.some((key) => sameSecret(sentMac, mac(key, payload))) ? JSON.parse(payload.toString()) : undefined;
}

function mac(key: KeyObject, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(payload).digest();
}

function expired(): Problem {
  return new Problem(
    410,
    'file_expired',
    t`This address has expired. Ask the API for the file again to get a new one.`,
  );
}

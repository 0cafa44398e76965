/**
 * Links to files that work without an access token: `/files/{token}`. Anybody who has a link can fetch that file until
 * it expires. The token names the file, its company, its file name and how it is shown, and is protected by a MAC
 * (HMAC-SHA-256). Nothing is stored about links.
 *
 * The first key signs, all keys are accepted. To rotate, a new key is added in front, and the old one removed when the
 * links it signed have expired.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { say } from '../../contract/languages/text.ts';
import { notFound, Problem } from '../../contract/problem.ts';
import { sameSecret } from '../secrets/secrets.ts';
import { partsOfKey } from './storage.ts';

export interface FileLinksConfig {
  /** 32 bytes each; the first signs. */
  file_keys: Buffer[];
}

export interface LinkedFile {
  company_id: string;
  key: string;
  /** As the client saves it. */
  filename: string;
  media_type: string;
  /** `inline` is granted only to types that can't do harm in a browser. */
  disposition: 'inline' | 'attachment';
}

export interface FileLinks {
  /**
   * An absolute address. Where a day is asked for, the same file gets the same address for an hour, so that answers with
   * it stay the same and browsers cache what they fetched.
   * @param file its link is valid for `expires_in_s`, to the second and no longer; where that is a day, for up to an hour more
   */
  link(file: LinkedFile & { expires_in_s: number }): string;
  /** When a link made now with this lifetime ends. */
  expiry(expires_in_s: number): Date;
  /** What an address of ours leads to, whether or not it has expired; undefined for any other text. */
  keyOf(address: string): string | undefined;
  /** @throws 404 for what is not a token of ours, 410 `file_expired` */
  open(token: string): OpenedLink;
}

export interface OpenedLink extends LinkedFile {
  expires_at: Date;
}

const mac_bytes = 32;
const day_s = 86_400;
const hour_ms = 3_600_000;
const longest_token = 4_096;

/**
 * @param base_url public address of the service, without a trailing slash
 * @param now the clock, in milliseconds
 */
export function createFileLinks({ file_keys }: FileLinksConfig, base_url: string, now = Date.now): FileLinks {
  const keys = file_keys.map((key) => createSecretKey(key)); // bytes would be looked at anew for each link
  const expiry = (expires_in_s: number) => {
    const end_ms = now() + expires_in_s * 1_000;
    return new Date(expires_in_s >= day_s ? Math.ceil(end_ms / hour_ms) * hour_ms : Math.floor(end_ms / 1_000) * 1_000);
  };
  return {
    expiry,
    link({ company_id, key, filename, media_type, disposition, expires_in_s }) {
      if (partsOfKey(key)?.company_id !== company_id) throw new Error('a link to an object of another company');
      const expires_s = expiry(expires_in_s).getTime() / 1_000;
      const fields: Fields = [key, filename, media_type, disposition === 'inline' ? 1 : 0, expires_s];
      const payload = Buffer.from(JSON.stringify(fields));
      return `${base_url}/files/${Buffer.concat([mac(keys[0]!, payload), payload]).toString('base64url')}`;
    },
    keyOf(address) {
      const token = /\/files\/([\w-]+)$/.exec(address)?.[1];
      return token === undefined ? undefined : fieldsOf(keys, token)?.[0];
    },
    open(token) {
      const [key, filename, media_type, inline, expires_s] = verified(keys, token);
      const expires_at = new Date(expires_s * 1_000);
      if (expires_at.getTime() <= now()) throw expired();
      const { company_id } = partsOfKey(key)!;
      return { company_id, key, filename, media_type, disposition: inline ? 'inline' : 'attachment', expires_at };
    },
  };
}

/** What a token says: the key (with the company in it), name, media type, whether inline, and its end in seconds. */
type Fields = [key: string, filename: string, media_type: string, inline: 0 | 1, expires_s: number];

/** @throws 404: a token that was made up says nothing about what exists */
function verified(keys: KeyObject[], token: string): Fields {
  const fields = fieldsOf(keys, token);
  if (!fields) throw notFound();
  return fields;
}

/** @returns undefined for a token that is not ours */
function fieldsOf(keys: KeyObject[], token: string): Fields | undefined {
  if (token.length > longest_token || !/^[\w-]+$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // One way to write a token: what decodes to the same bytes in another spelling is none.
  if (bytes.length <= mac_bytes || bytes.toString('base64url') !== token) return undefined;
  const given = bytes.subarray(0, mac_bytes);
  const payload = bytes.subarray(mac_bytes);
  return keys.some((key) => sameSecret(given, mac(key, payload))) ? JSON.parse(payload.toString()) : undefined;
}

function mac(key: KeyObject, payload: Buffer): Buffer {
  return createHmac('sha256', key).update(payload).digest();
}

function expired(): Problem {
  return new Problem(
    410,
    'file_expired',
    say`This address has expired. Ask the API for the file again to get a new one.`,
  );
}

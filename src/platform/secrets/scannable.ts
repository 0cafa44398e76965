/**
 * Long-lived secrets in a form that secret scanners recognize and verify offline: a unique prefix, 256 random bits, a checksum.
 */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const prefixes = { client_secret: 'cma_cs_', refresh_token: 'cma_rt_', directory_token: 'cma_dt_' } as const;

type ScannableKind = keyof typeof prefixes;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is slightly more than 2^256. */
const bodyCharacters = 43;
/** 62^6 is more than 2^32. */
const checksumCharacters = 6;

export function newScannable(kind: ScannableKind): string {
  return scannable(kind, randomBytes(32));
}

/** @param bits 32 unguessable bytes */
export function scannable(kind: ScannableKind, bits: Buffer): string {
  const body = prefixes[kind] + base62(BigInt(`0x${bits.toString('hex')}`), bodyCharacters);
  return body + base62(BigInt(crc32(body)), checksumCharacters);
}

function base62(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest /= 62n) text = alphabet[Number(rest % 62n)] + text;
  return text;
}

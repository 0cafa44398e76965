/** Finds settings whose risk in production would go unnoticed: missing ones, development values, and guessable keys. */

import { trustsPublicInternet } from './trusted-proxies.ts';
import { weakKey } from './weak-keys.ts';

export interface UnsafeSetting {
  name: string;
  why: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Valid names for ACCEPT_UNSAFE_SETTINGS. Keys are excluded: a good key costs nothing. */
export const acceptableSettings = [
  'BASE_URL',
  'DATABASE_URL',
  'MAIL_FROM',
  'REQUIRE_HTTPS',
  'SMTP_URL',
  'TRUST_PROXY',
  'WEBHOOK_ALLOW_PRIVATE',
] as const;

/** @param required the settings that production needs */
export function findUnsafeSettings(set: Environment, required: readonly string[]): UnsafeSetting[] {
  const missing = required.flatMap((name) => (set[name] === undefined ? [{ name, why: missingReason(name) }] : []));
  const unsafe = Object.entries(checks).flatMap(([name, check]) => {
    const why = set[name] === undefined ? undefined : check(set[name], set);
    return why === undefined ? [] : [{ name, why }];
  });
  return [...missing, ...unsafe];
}

function missingReason(name: string): string {
  return reasons[name] ?? 'required in production';
}

const reasons: Record<string, string> = {
  BASE_URL: 'required in production: the public https URL of the service',
  DATABASE_URL:
    'required in production: without it, an embedded Postgres runs in DATA_DIR, without backups or further processes',
  ENCRYPTION_KEY: 'required; create one with `openssl rand -base64 32`',
  MAIL_FROM: 'required in production: the sender of all emails',
  SMTP_URL: 'required in production: without it, no invitations or password reset links are sent',
};

/** @returns what is wrong with a value, or undefined */
type Check = (value: string, set: Environment) => string | undefined;

const checks: Record<string, Check> = {
  BASE_URL: (url) => (/^https:/i.test(url) ? undefined : 'must be an https URL'),
  REQUIRE_HTTPS: (value) => (value === 'false' ? 'allows passwords and tokens over plain HTTP' : undefined),
  WEBHOOK_ALLOW_PRIVATE: (value) =>
    value === 'true' ? "allows webhooks to reach neighboring machines and the cloud's metadata service" : undefined,
  TRUST_PROXY: (list) =>
    trustsPublicInternet(list)
      ? 'trusts more addresses than a proxy needs: clients among them can forge the address that rate limits use'
      : undefined,
  ENCRYPTION_KEY: (keys) => keysProblem(keys),
  FILE_KEYS: (keys, { ENCRYPTION_KEY = '' }) => {
    const others = listOf(ENCRYPTION_KEY);
    if (listOf(keys).some((key) => others.includes(key)))
      return 'has a key that is also in ENCRYPTION_KEY: use separate keys';
    return keysProblem(keys);
  },
};

function keysProblem(text: string): string | undefined {
  const keys = listOf(text);
  if (new Set(keys).size < keys.length) return 'has the same key twice';
  const why = keys.map((key) => weakKey(Buffer.from(key, 'base64'))).find(Boolean);
  return why && `has a key that can be guessed (${why}); create one with \`openssl rand -base64 32\``;
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean);
}

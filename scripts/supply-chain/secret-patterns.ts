// Patterns of secrets, and of harmless examples.

interface FoundSecret {
  kind: string;
  match: string;
  /** Starts at 1. */
  line: number;
}

const patterns: readonly [kind: string, pattern: RegExp][] = [
  ['private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z0-9+/=]{20}/g],
  ['private key as JWK', /"d"\s*:\s*"[\w-]{40,}"/g],
  ['AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['AWS secret key', /\baws_secret_access_key\s*[=:]\s*["']?[A-Za-z0-9/+]{40}\b/gi],
  ['GitHub token', /\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{60,}\b/g],
  ['GitLab token', /\bglpat-[\w-]{20,}\b/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b/g],
  ['npm registry password', /:_(?:authToken|password|auth)=(?!\$)\S{8,}/g],
  ['Slack token', /\bxox[abprs]-[\w-]{10,}/g],
  ['Stripe key', /\b[rs]k_live_\w{16,}\b/g],
  ['Google API key', /\bAIza[\w-]{35}\b/g],
  ['encryption key', /\b(?:ENCRYPTION_KEY|FILE_KEYS)\s*[=:]\s*["']?[A-Za-z0-9+/]{43}=/g],
  ['client secret, refresh token or token of a directory of this service', /\bcma_(?:cs|rt|dt)_[0-9A-Za-z]{49}\b/g],
  ['JSON web token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{40,}/g],
  [
    'password in an address',
    /\b(?:postgres(?:ql)?|smtps?|s3|https?|amqp|redis|mysql):\/\/[^\s:/?#"'`@$<{]+:[^\s:/?#"'`@$<{]{3,}@[\w.-]+/g,
  ],
];

/** @param text of one file */
export function secretsIn(text: string): FoundSecret[] {
  return patterns.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map((found) => ({
      kind,
      match: found[0],
      line: text.slice(0, found.index).split('\n').length,
    })),
  );
}

/** Examples: placeholder credentials at local or reserved hosts, and an ellipsis, which is three bytes in git's output. */
const examples = [
  /^\w+:\/\/\w+:[^@]+@(?:127\.0\.0\.1|localhost|bucket|host|x|db(?:-\d(?:\.internal)?)?|postgres(?=[:/]|$)|[\w.-]+\.example(?:\.com)?)$/,
  /^\w+:\/\/\w+:(?:…|\xe2\x80\xa6)@[\w.-]+$/,
  // Example secrets of the app and the directory in the contract: well-formed, but unused.
  /^cma_(?:cs|dt)_0V0RuNu9YIAbMrPpSgbLsGAhOhkyZWmyt8xpzvGJTZ42[0-9A-Za-z]{5,6}$/,
];

export function harmless(match: string): boolean {
  return examples.some((example) => example.test(match));
}

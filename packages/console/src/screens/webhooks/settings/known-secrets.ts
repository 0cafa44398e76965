/** Secrets shown in this tab, for the verification samples: in memory only, until a reload. */
const known = new Map<string, string>();

export function rememberSecret(webhook: string, secret: string): void {
  known.set(webhook, secret);
}

export function knownSecret(webhook: string): string | undefined {
  return known.get(webhook);
}

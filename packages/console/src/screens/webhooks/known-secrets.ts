/** Secrets that were shown in this tab, for the code that verifies with them: in its memory, until it is reloaded. */
const known = new Map<string, string>();

export function rememberSecret(webhook: string, secret: string): void {
  known.set(webhook, secret);
}

export function knownSecret(webhook: string): string | undefined {
  return known.get(webhook);
}

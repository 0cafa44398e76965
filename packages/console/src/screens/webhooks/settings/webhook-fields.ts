/** Form state of an endpoint. */
export interface WebhookFields {
  url: string;
  description: string;
  payload_format: 'envelope' | 'flat';
  /** As typed; empty for no limit. */
  max_per_second: string;
  events: string[];
  headers: { name: string; value: string; isStored: boolean }[];
}

/** @returns null for no limit */
export function rateOf({ max_per_second: maxPerSecond }: Pick<WebhookFields, 'max_per_second'>): number | null {
  return maxPerSecond === '' ? null : Number(maxPerSecond);
}

/** Placeholder for a stored header value, which is never shown. */
export const hiddenValue = '***';

/** Whether the URL has another scheme, host, or port than before; false while the URL is incomplete. */
export function changesOrigin(before: string | undefined, url: string): boolean {
  const [from, to] = [URL.parse(before ?? ''), URL.parse(url.trim())];
  return from !== null && to !== null && from.origin !== to.origin;
}

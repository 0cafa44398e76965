/** Custom headers of a subscription. They often contain secrets, so their values are never shown. */
import type { components } from '../../../../generated/api.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { type Text, t } from '../../../contract/languages/text.ts';
import type { FieldErrors } from '../../../contract/problem.ts';

type Warning = components['schemas']['WebhookWarning'];
type Headers = Record<string, string>;
type HeaderChanges = Record<string, string | null>;

/** Placeholder for a stored value. */
export const maskedValue = '***';

export function maskedHeaders(stored: Headers): Record<string, typeof maskedValue> {
  return Object.fromEntries(Object.keys(stored).map((name) => [name, maskedValue]));
}

export function maskErrors(sent: HeaderChanges, stored: Headers): FieldErrors {
  const known = new Set(Object.keys(stored).map((name) => name.toLowerCase()));
  const unknown = Object.entries(sent).filter(
    ([name, value]) => value === maskedValue && !known.has(name.toLowerCase()),
  );
  const message = t`${maskedValue} stands for a stored value, but this header has none.`;
  return Object.fromEntries(unknown.map(([name]) => [`headers.${name}`, [{ code: 'invalid_format', message }]]));
}

/**
 * The headers kept when a subscription moves to another origin: no stored ones, because whoever moves it could read their values.
 */
export function movedHeaders(
  stored: Headers,
  changes: HeaderChanges | null | undefined,
): { headers: Headers; dropped: string[] } {
  const sent = new Map(Object.entries(changes ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const isUnchanged = (name: string) =>
    [undefined, maskedValue].includes(sent.get(name.toLowerCase()) as string | undefined);
  const headers = Object.fromEntries(
    Object.entries(mergedHeaders(stored, changes)).filter(([name]) => {
      return !isUnchanged(name);
    }),
  );
  return { headers, dropped: changes === null ? [] : Object.keys(stored).filter(isUnchanged) };
}

export function droppedWarnings(names: readonly string[], language: Language): Warning[] {
  return names.map((name) => ({ field: `headers.${name}`, message: dropped.translate(language) }));
}

const dropped = t`The value of this header was dropped, because the URL has another scheme, host or port now. Send it again.`;

/** Missing headers stay, null removes. Names are case-insensitive, and take the new spelling. */
export function mergedHeaders(stored: Headers, changes: HeaderChanges | null | undefined): Headers {
  if (changes === null) return {};
  const sent = new Map(Object.entries(changes ?? {}).map((entry) => [entry[0].toLowerCase(), entry]));
  const retained = Object.entries(stored).map(([name, value]) => {
    const [newName, newValue] = sent.get(name.toLowerCase()) ?? [name, value];
    return [newName, newValue === maskedValue ? value : newValue] as const;
  });
  const known = new Set(Object.keys(stored).map((name) => name.toLowerCase()));
  const added = [...sent].filter(([same]) => !known.has(same)).map(([, entry]) => entry);
  return Object.fromEntries([...retained, ...added].filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Warnings about headers that replace those receivers need to verify and deduplicate deliveries. */
export function headerWarnings(stored: Headers, language: Language): Warning[] {
  return Object.keys(stored).flatMap((name) => {
    const warning = warnings.get(name.toLowerCase());
    return warning ? [{ field: `headers.${name}`, message: warning.translate(language) }] : [];
  });
}

const unverified = t`This header replaces ours of the same name: receivers can't verify our signature.`;
/** A map, because an object has own keys such as `constructor`, a possible header name. */
const warnings = new Map<string, Text>([
  ['x-webhook-signature', unverified],
  ['x-webhook-timestamp', unverified],
  ['webhook-signature', unverified],
  ['webhook-timestamp', unverified],
  [
    'webhook-id',
    t`This header replaces ours of the same name: receivers can't verify our signature, nor detect a repeated event.`,
  ],
  ['x-webhook-event', t`This header replaces ours of the same name: receivers can't use it to distinguish events.`],
  [
    'x-webhook-idempotency-key',
    t`This header replaces ours of the same name: receivers can't detect a repeated report.`,
  ],
]);

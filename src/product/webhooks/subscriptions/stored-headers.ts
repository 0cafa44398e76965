/** The headers that a company has stored with a subscription: often secrets, so their values are kept and never shown. */
import type { components } from '../../../../generated/api.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { say, type Text } from '../../../contract/languages/text.ts';
import type { FieldErrors } from '../../../contract/problem.ts';

type Warning = components['schemas']['WebhookWarning'];
type Headers = Record<string, string>;
/** Null removes one. */
type HeaderChanges = Record<string, string | null>;

/** What stands for a value that is kept. */
export const maskedValue = '***';

export function maskedHeaders(stored: Headers): Record<string, typeof maskedValue> {
  return Object.fromEntries(Object.keys(stored).map((name) => [name, maskedValue]));
}

/** @returns faults of headers that say they are kept, where there are none of their names */
export function maskFaults(sent: HeaderChanges, stored: Headers): FieldErrors {
  const known = new Set(Object.keys(stored).map((name) => name.toLowerCase()));
  const unknown = Object.entries(sent).filter(
    ([name, value]) => value === maskedValue && !known.has(name.toLowerCase()),
  );
  const message = say`${maskedValue} stands for a value that is kept, and there is none of this header.`;
  return Object.fromEntries(unknown.map(([name]) => [`headers.${name}`, [{ code: 'invalid_format', message }]]));
}

/** Those that go along when a subscription moves to another origin: none that is kept, or whoever moves it could read the values. */
export function movedHeaders(
  stored: Headers,
  changes: HeaderChanges | null | undefined,
): { headers: Headers; dropped: string[] } {
  const sent = new Map(Object.entries(changes ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const isKept = (name: string) =>
    [undefined, maskedValue].includes(sent.get(name.toLowerCase()) as string | undefined);
  const headers = Object.fromEntries(
    Object.entries(mergedHeaders(stored, changes)).filter(([name]) => {
      return !isKept(name);
    }),
  );
  return { headers, dropped: changes === null ? [] : Object.keys(stored).filter(isKept) };
}

/** @param names of headers whose values were dropped, because the URL leads to another origin now */
export function droppedWarnings(names: readonly string[], language: Language): Warning[] {
  return names.map((name) => ({ field: `headers.${name}`, message: dropped.in(language) }));
}

const dropped = say`The value of this header was dropped, because the URL has another scheme, host or port now. Send it again.`;

/**
 * What is left out stays, null removes; a name in another case is the same name, and is written the new way.
 * @param changes null removes all
 */
export function mergedHeaders(stored: Headers, changes: HeaderChanges | null | undefined): Headers {
  if (changes === null) return {};
  const sent = new Map(Object.entries(changes ?? {}).map((entry) => [entry[0].toLowerCase(), entry]));
  const kept = Object.entries(stored).map(([name, value]) => {
    const [newName, newValue] = sent.get(name.toLowerCase()) ?? [name, value];
    return [newName, newValue === maskedValue ? value : newValue] as const;
  });
  const known = new Set(Object.keys(stored).map((name) => name.toLowerCase()));
  const added = [...sent].filter(([same]) => !known.has(same)).map(([, entry]) => entry);
  return Object.fromEntries([...kept, ...added].filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Of those that replace what receivers verify and tell deliveries apart by. */
export function headerWarnings(stored: Headers, language: Language): Warning[] {
  return Object.keys(stored).flatMap((name) => {
    const warning = warnings.get(name.toLowerCase());
    return warning ? [{ field: `headers.${name}`, message: warning.in(language) }] : [];
  });
}

const unverified = say`This header replaces ours of the same name: receivers can't verify our signature.`;
/** A map: an object has names of its own, and a header may be called `constructor`. */
const warnings = new Map<string, Text>([
  ['x-webhook-signature', unverified],
  ['x-webhook-timestamp', unverified],
  ['webhook-signature', unverified],
  ['webhook-timestamp', unverified],
  [
    'webhook-id',
    say`This header replaces ours of the same name: receivers can't verify our signature, nor detect a repeated event.`,
  ],
  ['x-webhook-event', say`This header replaces ours of the same name: receivers can't tell events apart by it.`],
  [
    'x-webhook-idempotency-key',
    say`This header replaces ours of the same name: receivers can't tell a repeated report.`,
  ],
]);

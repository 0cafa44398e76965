/**
 * Keeps what is never shown again out of what is kept of an answer: there are receivers that answer with the headers they
 * were sent, when something goes wrong or for a test.
 */
import { maskedValue } from '../webhooks/subscriptions/stored-headers.ts';

/** What is shorter stands in any text by chance. */
const shortest = 6;

/**
 * @param stored the subscription's own headers
 * @param secrets that requests are signed with
 * @returns longest first
 */
export function hiddenTexts(stored: Record<string, string>, secrets: readonly string[]): readonly string[] {
  const values = Object.values(stored);
  // A receiver may answer with the token alone, without the scheme before it.
  const parts = values.flatMap((value) => value.split(' '));
  const texts = [...values, ...parts, ...secrets].filter(({ length }) => length >= shortest);
  const inJson = texts.map((text) => JSON.stringify(text).slice(1, -1));
  return [...new Set([...texts, ...inJson])].sort((a, b) => b.length - a.length);
}

/**
 * @param hidden longest first
 * @param length how much of the text is wanted; what is hidden is found also where it goes on behind
 */
export function masked(text: string, hidden: readonly string[], length = text.length): string {
  let shown = '';
  let at = 0;
  for (;;) {
    const next = firstOf(text, hidden, at);
    if (!next || next.at >= length) return (shown + text.slice(at, Math.max(at, length))).slice(0, length);
    shown += text.slice(at, next.at) + maskedValue;
    at = next.at + next.length;
  }
}

/** Of those that begin at the same place, the longest. */
function firstOf(text: string, hidden: readonly string[], from: number) {
  let first: { at: number; length: number } | undefined;
  for (const each of hidden) {
    const at = text.indexOf(each, from);
    if (at >= 0 && (!first || at < first.at)) first = { at, length: each.length };
  }
  return first;
}

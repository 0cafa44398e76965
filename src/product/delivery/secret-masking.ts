/** Masks secrets in stored responses: some receivers echo the request headers, in errors or tests. */
import { maskedValue } from '../webhooks/subscriptions/stored-headers.ts';

/** Shorter texts occur by chance. */
const shortest = 6;

export function hiddenTexts(stored: Record<string, string>, secrets: readonly string[]): readonly string[] {
  const values = Object.values(stored);
  // A receiver may echo the token without its scheme.
  const parts = values.flatMap((value) => value.split(' '));
  const texts = [...values, ...parts, ...secrets].filter(({ length }) => length >= shortest);
  const inJson = texts.map((text) => JSON.stringify(text).slice(1, -1));
  return [...new Set([...texts, ...inJson])].sort((a, b) => b.length - a.length);
}

/** @param length of the result; secrets that continue beyond it are masked too */
export function masked(text: string, hidden: readonly string[], length = text.length): string {
  let result = '';
  let at = 0;
  for (;;) {
    const next = firstOf(text, hidden, at);
    if (!next || next.at >= length) return (result + text.slice(at, Math.max(at, length))).slice(0, length);
    result += text.slice(at, next.at) + maskedValue;
    at = next.at + next.length;
  }
}

/** The longest of those at the earliest position. */
function firstOf(text: string, hidden: readonly string[], from: number) {
  let first: { at: number; length: number } | undefined;
  for (const each of hidden) {
    const at = text.indexOf(each, from);
    if (at >= 0 && (!first || at < first.at)) first = { at, length: each.length };
  }
  return first;
}

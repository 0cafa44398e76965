/** Masks header values of a subscription in receivers' responses. */

import { Excerpt } from '../../../src/product/delivery/receiver-response.ts';
import { hiddenTexts, masked } from '../../../src/product/delivery/secret-masking.ts';

const hidden = hiddenTexts(
  { Authorization: 'Bearer tok-123456', 'X-Gate': 'say "friend"\\', 'X-Short': 'abcde', 'X-Long': 'fghijk' },
  ['whsec_1'],
);

test.each([
  ['the whole value', 'got Bearer tok-123456.', 'got ***.'],
  ['the token without its scheme', '{"token":"tok-123456"}', '{"token":"***"}'],
  ['as JSON writes it', '{"gate":"say \\"friend\\"\\\\"}', '{"gate":"***"}'],
  ['as it is', 'gate: say "friend"\\', 'gate: ***'],
  ['several times', 'tok-123456 tok-123456', '*** ***'],
  ['a secret', 'signed with whsec_1', 'signed with ***'],
  ['a value too short to distinguish from other text', 'abcde', 'abcde'],
  ['a value just long enough', 'fghijk', '***'],
  ['nothing', 'all is well', 'all is well'],
])('%s', (_, text, expected) => {
  expect(masked(text, hidden)).toBe(expected);
});

/** The stored excerpt of a response that arrives in parts. */
function excerptOf(...parts: (string | Buffer)[]): string {
  const excerpt = new Excerpt();
  for (const part of parts) excerpt.add(Buffer.from(part));
  return excerpt.text(hidden);
}

test('leaves no partial value at the end of the excerpt, wherever it is cut', () => {
  for (let before = 1_000; before <= 1_024; before++) {
    const text = excerptOf('.'.repeat(before), 'Bearer tok-', '123456', '.'.repeat(2_000));
    const end = '***'.slice(0, 1_024 - before);
    expect(text.startsWith('.'.repeat(before) + end)).toBe(true);
    expect(text).not.toMatch(/[a-z0-9]/i);
    expect(text.length).toBeLessThanOrEqual(1_024);
  }
});

test('masks many in a row, and truncated ones', () => {
  const text = excerptOf('Bearer tok-123456 '.repeat(1_000));
  expect(text).toMatch(/^(\*\*\* )+(\*\*\*)?$/);
});

test('truncates multibyte characters as usual', () => {
  expect(excerptOf('é'.repeat(600))).toBe('é'.repeat(512));
  expect(excerptOf(`.${'é'.repeat(600)}`)).toBe(`.${'é'.repeat(511)}`);
});

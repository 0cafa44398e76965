/** What a subscription's headers hold is not to be read in what a receiver answers with. */
import { hiddenTexts, masked } from '../../../src/product/delivery/hidden-texts.ts';
import { Excerpt } from '../../../src/product/delivery/receiver-answer.ts';

const hidden = hiddenTexts({ Authorization: 'Bearer tok-123456', 'X-Gate': 'say "friend"\\', 'X-Short': 'abc' }, [
  'whsec_1',
]);

test.each([
  ['the whole value', 'got Bearer tok-123456.', 'got ***.'],
  ['the token without its scheme', '{"token":"tok-123456"}', '{"token":"***"}'],
  ['as JSON writes it', '{"gate":"say \\"friend\\"\\\\"}', '{"gate":"***"}'],
  ['as it is', 'gate: say "friend"\\', 'gate: ***'],
  ['several times', 'tok-123456 tok-123456', '*** ***'],
  ['a secret', 'signed with whsec_1', 'signed with ***'],
  ['what is too short to be told from other text', 'abc', 'abc'],
  ['nothing', 'all is well', 'all is well'],
])('%s', (_, text, expected) => {
  expect(masked(text, hidden)).toBe(expected);
});

/** What is kept of an answer that comes in parts. */
function kept(...parts: (string | Buffer)[]): string {
  const excerpt = new Excerpt();
  for (const part of parts) excerpt.add(Buffer.from(part));
  return excerpt.text(hidden);
}

test('no part of it is left at the end of what is kept, wherever it is cut', () => {
  for (let before = 1_000; before <= 1_024; before++) {
    const text = kept('.'.repeat(before), 'Bearer tok-', '123456', '.'.repeat(2_000));
    const end = '***'.slice(0, 1_024 - before);
    expect(text.startsWith('.'.repeat(before) + end)).toBe(true);
    expect(text).not.toMatch(/[a-z0-9]/i);
    expect(text.length).toBeLessThanOrEqual(1_024);
  }
});

test('many of them, one after the other, and none that was cut', () => {
  const text = kept('Bearer tok-123456 '.repeat(1_000));
  expect(text).toMatch(/^(\*\*\* )+(\*\*\*)?$/);
});

test('characters of several bytes are cut as ever', () => {
  expect(kept('é'.repeat(600))).toBe('é'.repeat(512));
  expect(kept(`.${'é'.repeat(600)}`)).toBe(`.${'é'.repeat(511)}`);
});

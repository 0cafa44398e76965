/** The response headers that a delivery stores. */
import { keptHeaders } from '../../../src/product/delivery/receiver-response.ts';

const raw = (count: number, value: string) => Array.from({ length: count }, (_, i) => [`X-${10 + i}`, value]).flat();

test('keeps headers in order and spelling', () => {
  expect(keptHeaders(['Date', 'today', 'x-Mixed-CASE', 'a'], [])).toEqual([
    ['Date', 'today'],
    ['x-Mixed-CASE', 'a'],
  ]);
  expect(keptHeaders([], [])).toEqual([]);
});

test('keeps the first 40', () => {
  expect(keptHeaders(raw(40, 'a'), [])).toHaveLength(40);
  expect(keptHeaders(raw(41, 'a'), [])).toEqual(keptHeaders(raw(40, 'a'), []));
});

test('truncates values and names to 512 characters', () => {
  expect(keptHeaders(['X-Value', 'v'.repeat(600)], [])).toEqual([['X-Value', 'v'.repeat(512)]]);
  expect(keptHeaders([`X-${'n'.repeat(600)}`, 'v'], [])).toEqual([[`X-${'n'.repeat(510)}`, 'v']]);
});

test('keeps up to 4,096 characters in all', () => {
  const full = raw(8, 'v'.repeat(508)); // eight times 4 + 508
  expect(keptHeaders(full, [])).toHaveLength(8);
  expect(keptHeaders([...full, 'X', ''], [])).toHaveLength(8);
  expect(keptHeaders([...raw(7, 'v'.repeat(508)), 'X-17', 'v'.repeat(509)], [])).toHaveLength(7);
});

test('masks values of secret headers, and secrets of the subscription in others', () => {
  const sent = ['Set-Cookie', 'session=1', 'X-Api-Key', 'k', 'X-Echo', 'token tok-123456.'];
  expect(keptHeaders(sent, ['tok-123456'])).toEqual([
    ['Set-Cookie', '***'],
    ['X-Api-Key', '***'],
    ['X-Echo', 'token ***.'],
  ]);
});

/** The response headers that a delivery stores. */
import { storableHeaders } from '../../../src/product/delivery/receiver-response.ts';

const raw = (count: number, value: string) => Array.from({ length: count }, (_, i) => [`X-${10 + i}`, value]).flat();

test('keeps headers in order and spelling', () => {
  expect(storableHeaders(['Date', 'today', 'x-Mixed-CASE', 'a'], [])).toEqual([
    ['Date', 'today'],
    ['x-Mixed-CASE', 'a'],
  ]);
  expect(storableHeaders([], [])).toEqual([]);
});

test('keeps the first 40', () => {
  expect(storableHeaders(raw(40, 'a'), [])).toHaveLength(40);
  expect(storableHeaders(raw(41, 'a'), [])).toEqual(storableHeaders(raw(40, 'a'), []));
});

test('truncates values and names to 512 characters', () => {
  expect(storableHeaders(['X-Value', 'v'.repeat(600)], [])).toEqual([['X-Value', 'v'.repeat(512)]]);
  expect(storableHeaders([`X-${'n'.repeat(600)}`, 'v'], [])).toEqual([[`X-${'n'.repeat(510)}`, 'v']]);
});

test('keeps up to 4,096 characters in all', () => {
  const full = raw(8, 'v'.repeat(508)); // eight times 4 + 508
  expect(storableHeaders(full, [])).toHaveLength(8);
  expect(storableHeaders([...full, 'X', ''], [])).toHaveLength(8);
  expect(storableHeaders([...raw(7, 'v'.repeat(508)), 'X-17', 'v'.repeat(509)], [])).toHaveLength(7);
});

test('masks values of secret headers, and secrets of the subscription in others', () => {
  const sent = ['Set-Cookie', 'session=1', 'X-Api-Key', 'k', 'X-Echo', 'token tok-123456.'];
  expect(storableHeaders(sent, ['tok-123456'])).toEqual([
    ['Set-Cookie', '***'],
    ['X-Api-Key', '***'],
    ['X-Echo', 'token ***.'],
  ]);
});

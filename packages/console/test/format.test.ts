import { fromNow, isoOf, localOf, number } from '../src/parts/format.ts';

const now = Date.parse('2026-03-04T09:00:00Z');
const hours = (count: number) => fromNow(new Date(now + count * 3_600_000).toISOString(), now);

test('distances of days do not name a day, which depends on the time of day', () => {
  expect([25, 47, 71].map(hours)).toEqual(['in 1 day', 'in 1 day', 'in 2 days']);
  expect([-25, -47, -71].map(hours)).toEqual(['1 day ago', '1 day ago', '2 days ago']);
});

test('shorter distances', () => {
  expect([0, 1 / 3_600, -1 / 60, 2, -23.9].map(hours)).toEqual([
    'now',
    'in 1 second',
    '1 minute ago',
    'in 2 hours',
    '23 hours ago',
  ]);
});

test('an input shows no time if that of the URL is invalid', () => {
  expect(localOf(isoOf('2026-03-04T09:15'))).toBe('2026-03-04T09:15');
  expect(localOf('tomorrow')).toBe('');
});

test('numbers have all their decimals', () => {
  expect(number(1_234.567891)).toBe('1,234.567891');
});

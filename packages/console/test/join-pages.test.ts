import type { Delivery, DeliveryPage } from '../src/api/webhooks.ts';
import { mergePages } from '../src/screens/webhooks/deliveries/join-pages.ts';

/** Created in this order, two per timestamp. */
const delivery = (n: number, status = 'succeeded') =>
  ({
    id: String(n).padStart(4, '0'),
    created_at: `2026-03-02T09:${String(10 + Math.floor(n / 2))}:00.000Z`,
    status,
  }) as Delivery;

/** Newest first. */
const page = (from: number, to: number, next?: string): DeliveryPage => ({
  data: Array.from({ length: from - to + 1 }, (_, at) => delivery(from - at)),
  next,
});
const ids = ({ data }: DeliveryPage) => data.map(({ id }) => Number(id));

test('new items come first, and items loaded below stay', () => {
  const loaded = page(20, 1); // the whole list
  expect(mergePages(page(23, 14, 'after 14'), loaded)).toEqual(page(23, 1));
});

test('an item seen before takes the values of the newest response', () => {
  const loaded = { data: [delivery(3, 'pending'), delivery(2, 'pending'), delivery(1)], next: 'after 1' };
  const now = { data: [delivery(3, 'failed'), delivery(2)], next: 'after 2' };
  expect(mergePages(now, loaded)).toEqual({ data: [...now.data, delivery(1)], next: 'after 1' });
});

test('what no longer matches, or was deleted, is gone', () => {
  expect(ids(mergePages({ data: [delivery(5), delivery(3)], next: 'after 3' }, page(5, 1, 'after 1')))).toEqual([
    5, 3, 2, 1,
  ]);
});

test('the list restarts after more new items than a page holds, so that none is missing', () => {
  const now = page(40, 31, 'after 31');
  expect(mergePages(now, page(20, 1))).toBe(now);
});

test('a list that fits a page is that page', () => {
  const now = page(3, 1);
  expect(mergePages(now, page(9, 1, 'after 1'))).toBe(now);
  expect(mergePages({ data: [], next: undefined }, page(9, 1))).toEqual({ data: [], next: undefined });
});

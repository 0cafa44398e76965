/** Sharing of delivery slots among companies. */
import { FairSemaphore } from '../../../src/platform/fairness/fair-semaphore.ts';

const line = (companyId: string, name = '1') => ({ company_id: companyId, name });

test('a company takes half of the free slots', () => {
  const places = new FairSemaphore<{ company_id: string }>(500);
  const taken = ['a', 'b', 'c', 'd'].map((companyId) => {
    let own = 0;
    for (let room = places.roomFor(companyId); room > 0; room = places.roomFor(companyId)) {
      places.take({ company_id: companyId }, room);
      own += room;
    }
    return own;
  });
  expect(taken).toEqual([250, 125, 63, 31]);
  expect(places.roomFor('e')).toBeGreaterThan(0);
  expect(places.taken).toBe(469);
});

test('a single slot is available to everyone', () => {
  const places = new FairSemaphore<{ company_id: string }>(1);
  expect(places.roomFor('a')).toBe(1);
  places.take(line('a'), 1);
  expect(places.roomFor('b')).toBe(0);
  places.free(line('a'), 1);
  expect(places.roomFor('b')).toBe(1);
});

test('alternates between companies and within each', () => {
  const places = new FairSemaphore<ReturnType<typeof line>>(10);
  const lines = [line('a', '1'), line('a', '2'), line('b', '3'), line('c', '4')];
  for (const each of lines) places.wait(each);
  const turns = Array.from({ length: 8 }, () => {
    const next = places.next()!;
    places.wait(next);
    return next.name;
  });
  expect(turns).toEqual(['1', '3', '4', '2', '3', '4', '1', '3']);
});

test('skips those that can take none, and keeps their turn', () => {
  const places = new FairSemaphore<ReturnType<typeof line>>(4);
  places.take(line('a'), 2);
  places.wait(line('a', 'later'));
  places.wait(line('b', 'now'));
  expect(places.next()).toMatchObject({ name: 'now' });
  expect(places.next()).toBeUndefined();
  places.free(line('a'), 2);
  expect(places.next()).toMatchObject({ name: 'later' });
  expect(places.next()).toBeUndefined();
});

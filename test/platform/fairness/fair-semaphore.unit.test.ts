/** Sharing of delivery slots among companies. */
import { FairSemaphore } from '../../../src/platform/fairness/fair-semaphore.ts';

const line = (companyId: string, name = '1') => ({ company_id: companyId, name });

test('a company takes half of the free slots', () => {
  const semaphore = new FairSemaphore<{ company_id: string }>(500);
  const acquired = ['a', 'b', 'c', 'd'].map((companyId) => {
    let own = 0;
    for (let room = semaphore.availableTo(companyId); room > 0; room = semaphore.availableTo(companyId)) {
      semaphore.acquire({ company_id: companyId }, room);
      own += room;
    }
    return own;
  });
  expect(acquired).toEqual([250, 125, 63, 31]);
  expect(semaphore.availableTo('e')).toBeGreaterThan(0);
  expect(semaphore.used).toBe(469);
});

test('a single slot is available to everyone', () => {
  const semaphore = new FairSemaphore<{ company_id: string }>(1);
  expect(semaphore.availableTo('a')).toBe(1);
  semaphore.acquire(line('a'), 1);
  expect(semaphore.availableTo('b')).toBe(0);
  semaphore.free(line('a'), 1);
  expect(semaphore.availableTo('b')).toBe(1);
});

test('alternates between companies and within each', () => {
  const semaphore = new FairSemaphore<ReturnType<typeof line>>(10);
  const lines = [line('a', '1'), line('a', '2'), line('b', '3'), line('c', '4')];
  for (const each of lines) semaphore.wait(each);
  const turns = Array.from({ length: 8 }, () => {
    const next = semaphore.next()!;
    semaphore.wait(next);
    return next.name;
  });
  expect(turns).toEqual(['1', '3', '4', '2', '3', '4', '1', '3']);
});

test('skips those that can take none, and keeps their turn', () => {
  const semaphore = new FairSemaphore<ReturnType<typeof line>>(4);
  semaphore.acquire(line('a'), 2);
  semaphore.wait(line('a', 'later'));
  semaphore.wait(line('b', 'now'));
  expect(semaphore.next()).toMatchObject({ name: 'now' });
  expect(semaphore.next()).toBeUndefined();
  semaphore.free(line('a'), 2);
  expect(semaphore.next()).toMatchObject({ name: 'later' });
  expect(semaphore.next()).toBeUndefined();
});

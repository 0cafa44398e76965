/** Choosing which of many workers does what one could do for all. */
import { EventEmitter } from 'node:events';
import { wakeInTurn } from '../../src/worker/wake-in-turn.ts';
import { createPeers } from '../../src/worker/worker-rank.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => `worker-${String(n).padStart(3, '0')}`);

function allWorkers(count: number) {
  const alive = ids(count);
  return alive.map((id) => {
    const peers = createPeers();
    peers.learn(alive.toReversed(), [id]);
    return peers;
  });
}

test.each([1, 2, 3, 7, 50])('of %i, three handle each notification, and all get their turn', (count) => {
  const all = allWorkers(count);
  const counts = all.map(() => 0);
  const questions = 1_000;
  for (let n = 0; n < questions; n++) {
    const chosen = all.flatMap((peers, i) => (peers.isChosen((n + 0.5) / questions, 3) ? [i] : []));
    expect(chosen).toHaveLength(Math.min(3, count));
    for (const i of chosen) counts[i]! += 1;
  }
  const share = (Math.min(3, count) * questions) / count;
  for (const each of counts) expect(Math.abs(each - share)).toBeLessThanOrEqual(3);
});

test('the first three stay the same while the membership doesn’t change', () => {
  const all = allWorkers(10);
  expect(all.map((peers) => peers.isAmongFirst(3))).toEqual([true, true, true, ...Array(7).fill(false)]);
  all[5]!.learn(ids(10).slice(3), [ids(10)[5]!]); // three have left
  expect(all[5]!.isAmongFirst(3)).toBe(true);
});

test('of many, this number acts on average', () => {
  const draws = Array.from({ length: 1_000 }, (_, n) => n / 1_000);
  const peers = createPeers(() => draws.shift()!);
  peers.learn(ids(20), ['worker-004']);
  const turns = Array.from({ length: 1_000 }, () => peers.takesTurn(2)).filter(Boolean);
  expect(turns).toHaveLength(100);
});

test('an isolated or unknown worker does everything', () => {
  const peers = createPeers();
  const does = () => [peers.isAmongFirst(1), peers.isChosen(0.99, 1), peers.takesTurn(1)];
  expect(does()).toEqual([true, true, true]);
  peers.learn(ids(10), ['worker-of-another-list']);
  expect(does()).toEqual([true, true, true]);
  peers.learn([], []);
  expect(does()).toEqual([true, true, true]);
});

describe('waking', () => {
  function pool(rank: number, count: number) {
    const peers = createPeers();
    peers.learn(ids(count), [ids(count)[rank]!]);
    const events = new EventEmitter();
    const nudges: number[] = [];
    const woken = { nudge: (jobs: number) => void nudges.push(jobs) };
    const end = wakeInTurn(woken, { events, peers, poll_ms: 1_000_000 });
    end();
    /** As the library does on a notification. */
    const notify = (payload: string, jobs: number) => {
      events.emit('pool:listen:notification', { message: { payload } });
      woken.nudge(jobs);
    };
    return { events, nudges, notify };
  }
  const message = (r: number | string, jobs = 1) => `{"r":${r},"count":${jobs}}`;

  test('three of ten check for a new job, more for several, and all without a count', () => {
    const all = ids(10).map((_, rank) => pool(rank, 10));
    const notifiedRanks = (payload: string, jobs: number) => {
      for (const each of all) each.notify(payload, jobs);
      return all.flatMap(({ nudges }, rank) => (nudges.splice(0).length > 0 ? [rank] : []));
    };
    expect(notifiedRanks(message(0.25), 1)).toEqual([2, 3, 4]);
    expect(notifiedRanks(message(0.95), 1)).toEqual([0, 1, 9]);
    expect(notifiedRanks(message('1.5e-05'), 1)).toEqual([0, 1, 2]);
    expect(notifiedRanks(message(0.25, 5), 5)).toHaveLength(7);
    expect(notifiedRanks(message(0.25, 500), 500)).toHaveLength(10);
    expect(notifiedRanks('', 1)).toHaveLength(10);
  });

  test('a worker that finds a job wakes another', () => {
    const { events, nudges } = pool(9, 10);
    events.emit('job:start', {});
    expect(nudges).toEqual([1]);
  });
});

test('ignores a pool that has ended', () => {
  const events = new EventEmitter();
  const ended = {
    nudge() {
      throw new Error('nudge called after worker terminated');
    },
  };
  wakeInTurn(ended, { events, peers: createPeers(), poll_ms: 1_000_000 })();
  expect(() => events.emit('job:start', {})).not.toThrow();
});

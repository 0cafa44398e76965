import { settleReachable } from '../../../src/platform/db/reachable.ts';

const lostConnection = () =>
  Promise.reject(Object.assign(new Error('connection to the remote node failed'), { code: '08006' }));

test('skips unreachable nodes as long as one is reachable', async () => {
  expect(await settleReachable([Promise.resolve(1), lostConnection(), Promise.resolve(3)])).toEqual([1, 3]);
  expect(await settleReachable([])).toEqual([]);
  await expect(settleReachable([lostConnection(), lostConnection()])).rejects.toThrow('remote node');
});

test('rethrows other errors', async () => {
  await expect(
    settleReachable([Promise.resolve(1), lostConnection(), Promise.reject(new Error('a fault'))]),
  ).rejects.toThrow('a fault');
});

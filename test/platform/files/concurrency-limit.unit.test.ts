import { createConcurrencyLimit } from '../../../src/platform/files/store/concurrency-limit.ts';

test('rejects beyond the queue limit, and admits again afterwards', async () => {
  const gate = createConcurrencyLimit(1, 1);
  const first = await gate.enter();
  const second = gate.enter();
  expect(await gate.enter()).toBeUndefined();
  first!();
  first!(); // leaving twice counts once
  const leave = await second;
  expect(leave).toBeDefined();
  let isThirdInside = false;
  const third = gate.enter();
  void third.then(() => (isThirdInside = true));
  await new Promise((turn) => setImmediate(turn));
  expect(isThirdInside).toBe(false);
  leave!();
  (await third)!();
});

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
  const third = gate.enter();
  leave!();
  (await third)!();
});

import { createGate } from '../../../src/platform/files/store/gate.ts';

test('who comes when too many wait is sent away, and the next after that is let in', async () => {
  const gate = createGate(1, 1);
  const first = await gate.enter();
  const second = gate.enter();
  expect(await gate.enter()).toBeUndefined();
  first!();
  first!(); // twice is once
  const leave = await second;
  expect(leave).toBeDefined();
  const third = gate.enter();
  leave!();
  (await third)!();
});

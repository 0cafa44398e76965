/** Sign-in limits in processes with different clocks. */
import { createLimits, removeOldCounts } from '../../../src/identity/users/sign-in-limits.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { type TestDatabase, testDatabase } from '../../helpers/database/database.ts';
import { testSettings } from '../../helpers/settings.ts';

const failures = 3;
const windowS = 900;
const hourMs = 3_600_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

function processAt(wrongMs: number) {
  const settings = {
    SIGN_IN_FAILURES_PER_ACCOUNT: String(failures),
    SIGN_IN_FAILURES_WINDOW_S: String(windowS),
  };
  const limits = createLimits({
    db: database.db,
    config: readConfig({ ...testSettings, ...settings }),
    log: undefined,
  });
  const now = Date.now;
  const inItsTime = async <T>(work: () => Promise<T>): Promise<T> => {
    const wrong = jest.spyOn(Date, 'now').mockImplementation(() => now.call(Date) + wrongMs);
    try {
      return await work();
    } finally {
      wrong.mockRestore();
    }
  };
  return {
    signIn: (account: string) => inItsTime(() => limits.signIn(account, undefined)),
    removeOld: () => inItsTime(() => removeOldCounts(database.db)),
  };
}

test.each([
  ['ahead', hourMs],
  ['behind', -hourMs],
])('a process whose clock is an hour %s neither shortens nor lengthens a wait', async (name, wrongMs) => {
  const [right, wrong] = [processAt(0), processAt(wrongMs)];
  for (let n = 0; n < failures; n++) expect(await right.signIn(name)).toBe(0);
  expect(await right.signIn(name)).toBe(windowS); // from the settings, not from a clock
  await wrong.removeOld();
  // Clock offset is known to half the round-trip time, and offsets from round trips over a second are ignored.
  for (const each of [wrong, right]) {
    const waitS = await each.signIn(name);
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(windowS + 1);
  }
});

test('processes share one count', async () => {
  const processes = [processAt(hourMs), processAt(0), processAt(-hourMs)];
  const waits = [];
  for (const each of processes) waits.push(await each.signIn('ada'));
  expect(waits).toEqual([0, 0, 0]);
  for (const each of processes) expect(await each.signIn('ada')).toBeGreaterThan(0);
});

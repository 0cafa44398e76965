import { type AttemptResult, outcomeOf } from '../../../src/product/delivery/retry-policy.ts';

const responseWith = (statusCode: number, more: Partial<AttemptResult> = {}): AttemptResult => {
  return { status_code: statusCode, error_class: null, retry_after_s: null, ...more };
};
const broken = (errorClass: NonNullable<AttemptResult['error_class']>): AttemptResult => {
  return { status_code: null, error_class: errorClass, retry_after_s: null };
};
const always = (each: AttemptResult): AttemptResult[] => Array(9).fill(each);

/** Plays responses until no retry is left. @returns the waits and the outcome */
function play(responses: AttemptResult[], random = 0) {
  const waits: number[] = [];
  let failures = 0;
  for (const each of responses) {
    const outcome = outcomeOf(each, { failures, retried: true }, random);
    if (outcome.status !== 'pending') return { attempts: waits.length + 1, waits, end: outcome };
    failures = outcome.failures;
    waits.push(outcome.wait_s);
  }
  throw new Error('it goes on');
}

test.each([200, 201, 204, 299])('%d is a success', (status) => {
  expect(outcomeOf(responseWith(status), { failures: 2, retried: true })).toEqual({ status: 'succeeded' });
});

test.each<[string, AttemptResult[], number, string, number[]]>([
  ['404 for ever', always(responseWith(404)), 4, 'client_error', [60, 120, 240]],
  ['redirects for ever', always(responseWith(302, { error_class: 'redirect' })), 4, 'client_error', [60, 120, 240]],
  ['500 for ever', always(responseWith(500)), 6, 'server_error', [60, 120, 240, 480, 960]],
  ['no response', always(broken('timeout')), 6, 'network_error', [60, 120, 240, 480, 960]],
  ['refused addresses', always(broken('address_refused')), 6, 'network_error', [60, 120, 240, 480, 960]],
  [
    '500, in the end 404',
    [...Array(4).fill(responseWith(500)), responseWith(404)],
    5,
    'client_error',
    [60, 120, 240, 480],
  ],
  [
    '404, then 500',
    [...Array(3).fill(responseWith(404)), ...always(responseWith(500))],
    6,
    'server_error',
    [60, 120, 240, 480, 960],
  ],
  ['410 at once', [responseWith(410)], 1, 'gone', []],
  ['500, then 410', [responseWith(500), responseWith(410)], 2, 'gone', [60]],
])('%s', (_name, responses, attempts, reason, waits) => {
  expect(play(responses)).toMatchObject({ attempts, waits, end: { status: 'failed', deactivate: reason } });
});

test('jitter lengthens a wait by up to a tenth, and never shortens it', () => {
  const longest = play(always(responseWith(503)), 1).waits;
  expect(longest.map((wait) => Math.round(wait))).toEqual([66, 132, 264, 528, 1056]);
  for (let n = 0; n < 200; n++) {
    const outcome = outcomeOf(responseWith(503), { failures: 1, retried: true });
    expect(outcome.status === 'pending' && outcome.wait_s).toBeGreaterThanOrEqual(120);
    expect(outcome.status === 'pending' && outcome.wait_s).toBeLessThanOrEqual(132);
  }
});

test('Retry-After lengthens a wait, and never shortens it', () => {
  const wait = (retryAfterS: number) =>
    outcomeOf(responseWith(503, { retry_after_s: retryAfterS }), { failures: 0, retried: true }, 0);
  expect(wait(3600)).toMatchObject({ wait_s: 3600 });
  expect(wait(1)).toMatchObject({ wait_s: 60 });
});

test('single attempts aren’t retried, and don’t deactivate except for 410', () => {
  const once = { failures: 0, retried: false };
  expect(outcomeOf(responseWith(500), once)).toEqual({ status: 'failed', failures: 1, deactivate: null });
  expect(outcomeOf(responseWith(410), once)).toEqual({ status: 'failed', failures: 1, deactivate: 'gone' });
});

test('a request that couldn’t be built is retried, and doesn’t count against the receiver', () => {
  expect(play(always(broken('payload')))).toMatchObject({ attempts: 6, end: { deactivate: null } });
});

test('a request that crashed processes isn’t repeated, and doesn’t count against the receiver', () => {
  for (const retried of [true, false]) {
    const outcome = outcomeOf(broken('interrupted'), { failures: 1, retried });
    expect(outcome).toEqual({ status: 'failed', failures: 2, deactivate: null });
  }
});

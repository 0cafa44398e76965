import { countRequest } from '../../../../src/api/http/steps/count-request.ts';
import { createRateLimiter, type RateLimiter } from '../../../../src/api/rate-limit/rate-limit.ts';
import { type TestDatabase, testDatabase } from '../../../helpers/database.ts';
import { known, stepServer } from '../../../helpers/steps.ts';

let database: TestDatabase;
let limiter: RateLimiter;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => {
  const limits = { default: 6, writes: 2, uploads: 1, heavy: 1, directory: 6 };
  // A clock that stands still: no minute ends in the middle of a test.
  const clock = { now_ms: () => 0, ask: () => () => {} };
  limiter = createRateLimiter({ db: database.db, limits, intervalMs: 0, clock });
});
afterAll(() => database.drop());

const server = (found = known('admin')) => stepServer((exchange) => countRequest(limiter)(exchange), found);

test('a read counts against the limit for all, which every answer shows', async () => {
  const { headers } = await server().get('/v1/collaborators').expect(200);
  expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual(['"default";r=5;t=60', '"default";q=6;w=60']);
});

test('a write counts beside, and an operation that costs more by what the contract says', async () => {
  await server().post('/v1/collaborators').expect(200);
  await server().post('/v1/collaborators').expect(200);
  const { headers, body } = await server().post('/v1/collaborators').expect(429);
  expect([body.error, headers['retry-after'], headers.ratelimit]).toEqual(['rate_limited', '60', '"writes";r=0;t=60']);
  await server().get('/v1/collaborators/export/list').expect(200);
  await server().get('/v1/collaborators/export/list').expect(429);
  await server().head('/v1/collaborators').expect(200);
});

test('a path of no operation counts too, and who acts for no company does not', async () => {
  expect((await server().get('/v1/no/such/path').expect(200)).headers.ratelimit).toBe('"default";r=5;t=60');
  expect((await server({}).get('/auth/user').expect(200)).headers.ratelimit).toBeUndefined();
});

import { countRequest } from '../../../../src/api/http/steps/count-request.ts';
import { createRateLimiter, type RateLimiter } from '../../../../src/api/rate-limit/rate-limit.ts';
import { type TestDatabase, testDatabase } from '../../../helpers/database/database.ts';
import { memberContext, stepServer } from '../../../helpers/steps.ts';

let database: TestDatabase;
let limiter: RateLimiter;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => {
  const limits = { default: 6, writes: 2, uploads: 1, heavy: 1, directory: 6 };
  // A frozen clock, so that no window ends during a test.
  const clock = { now_ms: () => 0, measure: () => () => {} };
  limiter = createRateLimiter({ db: database.db, limits, intervalMs: 0, clock });
});
afterAll(() => database.drop());

const server = (found = memberContext('admin')) => stepServer((exchange) => countRequest(limiter)(exchange), found);

test('a read counts toward the overall limit, which its response shows', async () => {
  const { headers } = await server().get('/v1/collaborators').expect(200);
  expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual(['"default";r=5;t=60', '"default";q=6;w=60']);
});

test('a write counts additionally, and so does an expensive operation as declared in the contract', async () => {
  const first = await server().post('/v1/collaborators').expect(200);
  expect(first.headers.ratelimit).toBe('"writes";r=1;t=60');
  await server().post('/v1/collaborators').expect(200);
  const { headers, body } = await server().post('/v1/collaborators').expect(429);
  expect([body.error, headers['retry-after'], headers.ratelimit]).toEqual(['rate_limited', '60', '"writes";r=0;t=60']);
  await server().get('/v1/collaborators/export/list').expect(200);
  await server().get('/v1/collaborators/export/list').expect(429);
  await server().head('/v1/collaborators').expect(200);
});

test('an unknown path counts too, but a request without a company doesn’t', async () => {
  expect((await server().get('/v1/no/such/path').expect(200)).headers.ratelimit).toBe('"default";r=5;t=60');
  expect((await server({}).get('/auth/user').expect(200)).headers.ratelimit).toBeUndefined();
});

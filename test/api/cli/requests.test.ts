/** Requests and events on the command line. */
import { type SignedIn, signedIn } from '../../helpers/signed-in-cli.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn();
});
afterAll(() => here.close());

const api = (...args: string[]) => here.cli('api', ...args);
const person = (handle: string) =>
  ['name', 'email', 'position', 'department'].flatMap((field) => {
    const value = { name: `Person ${handle}`, email: `${handle}@verde.example` }[field] ?? 'Driver';
    return ['-f', `${field}=${value}`];
  });

test('sends any request, and reflects the result in the exit code', async () => {
  const created = await api('POST', '/v1/collaborators', ...person('ana'));
  expect(created.code).toBe(0);
  const { id } = JSON.parse(created.stdout);
  await api(
    '/v1/collaborators',
    '--data',
    JSON.stringify({ name: 'Bento', email: 'bento@verde.example', position: 'Driver', department: 'Fleet' }),
  );
  const details = await api('-i', `/v1/collaborators/${id}`);
  expect(details.stdout).toMatch(/^HTTP 200 .*\n(.+: .+\n)*etag: ("\S+")\n/);
  const all = await api('GET', '/v1/collaborators?limit=1', '-f', 'sort=email', '--paginate');
  expect(JSON.parse(all.stdout).map(({ email }: { email: string }) => email)).toEqual([
    'ana@verde.example',
    'bento@verde.example',
    'mariana@verde.example',
  ]);
  expect(JSON.parse((await api('/auth/user')).stdout)).toMatchObject({ email: 'mariana@verde.example' });

  const missing = await api('/v1/collaborators/nobody');
  expect(missing).toMatchObject({ code: 1, stderr: 'error: GET /v1/collaborators/nobody returned 404\n' });
  expect(JSON.parse(missing.stdout)).toMatchObject({ error: 'not_found' });
  const doubled = await api('POST', '/v1/collaborators', ...person('ana'));
  expect(doubled).toMatchObject({ code: 1, stderr: expect.stringMatching(/returned 400\n$/) });
});

test('a POST with a key runs once', async () => {
  const key = ['-H', 'Idempotency-Key: the-same'];
  const [first, second] = [
    await api('POST', '/v1/collaborators', ...person('clara'), ...key),
    await api('POST', '/v1/collaborators', ...person('clara'), ...key),
  ];
  expect(first).toMatchObject({ code: 0 });
  expect(JSON.parse(second.stdout).id).toBe(JSON.parse(first.stdout).id);
});

test('listen reports missing permissions and unknown events', async () => {
  const less = await signedIn({ scope: 'profile offline_access collaborators:read' });
  const refused = await less.cli('listen', '--print');
  await less.close();
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  const advice = 'login --scope "profile offline_access collaborators:read webhooks:manage"';
  expect(refused.stderr).toContain(
    `(insufficient_scope; needs webhooks:manage: sign in again with \`npm run cli -- ${advice}\`)`,
  );
  const wrong = await here.cli('listen', '--print', '--events', 'colaborator.*');
  expect(wrong).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: unknown event colaborator\.\*; /),
  });
});

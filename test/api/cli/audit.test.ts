import { type SignedIn, signedIn } from '../../helpers/signed-in-cli.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn();
});
afterAll(() => here.close());

test('lists entries, newest first, with all filters, across pages', async () => {
  await here.database.query(
    `insert into audit_log (company_id, id, at, action, actor_type, outcome)
     select $1, ('0199a3c4-51d0-7c1e-8f6a-' || lpad(n::text, 12, '0'))::uuid, '2026-03-02T09:15:00Z', 'step.' || n,
       'operator', 'succeeded'
     from generate_series(100, 250) n`,
    [here.company_id],
  );
  const { code, stdout, stderr } = await here.cli('audit', 'list', '--limit', '1');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^TIME +ACTION +OUTCOME +WHO +TARGET +FROM\n\S+Z +token\.issued +succeeded +\S+@\S+ +client \S+ /,
  );
  const past = ['--until', '2026-03-03T00:00:00Z', '--json'];
  const { data } = JSON.parse((await here.cli('audit', 'list', '--limit', '120', ...past)).stdout);
  expect(data.map(({ action }: { action: string }) => action)).toEqual(
    Array.from({ length: 120 }, (_, n) => `step.${250 - n}`),
  );
  expect((await here.cli('audit', 'list', '--action', 'step.1', ...past)).stdout).toBe('{\n  "data": []\n}\n');
});

test('rejects an invalid number or time', async () => {
  expect(await here.cli('audit', 'list', '--limit', '0')).toMatchObject({ code: 2 });
  expect(await here.cli('audit', 'list', '--since', 'today')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('since'),
  });
});

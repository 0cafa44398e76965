import { type TestApp, testApp } from '../../../helpers/app.ts';
import { type TxtServer, txtServer } from '../../../helpers/network/dns.ts';

let app: TestApp;
let dns: TxtServer;
beforeAll(async () => {
  dns = await txtServer();
  app = await testApp({ DNS_SERVERS: dns.address });
});
afterAll(async () => {
  await app.close();
  await dns.close();
});
beforeEach(async () => {
  await app.database.query('delete from sign_in_domains');
  await app.database.query('delete from sign_in_connections');
});

const fields = { name: 'Okta', issuer: 'https://a.example', client_id: 'a', client_secret: 'b' };
const make = async (client = app.admin) =>
  (await client.post('/v1/sign-in-connections', { ...fields, domains: ['verdelog.example'] }).expect(201)).body;
const verify = async (id: string, client = app.admin) =>
  (await client.post(`/v1/sign-in-connections/${id}/verify-domains`).expect(200)).body.domains[0];

test('only the DNS record verifies a domain', async () => {
  const { id, domains } = await make();
  expect(await verify(id)).toMatchObject({ verified_at: null, checked_at: expect.any(String) });
  dns.records.set(domains[0].record_name, ['v=spf1 -all', 'cma-domain=somebody else']);
  expect((await verify(id)).verified_at).toBeNull();
  dns.records.set(domains[0].record_name, ['v=spf1 -all', domains[0].record_value]);
  const { verified_at: verifiedAt } = await verify(id);
  expect(verifiedAt).toEqual(expect.any(String));
  dns.records.clear();
  expect((await verify(id)).verified_at).toBe(verifiedAt);
});

test('a record of one company doesn’t verify the domain for another, and the last to verify a domain owns it', async () => {
  const [own, foreign] = [await make(), await make(app.outsider)];
  const [{ record_name: name, record_value: value }] = own.domains;
  dns.records.set(name, [value]);
  expect((await verify(own.id)).verified_at).not.toBeNull();
  expect((await verify(foreign.id, app.outsider)).verified_at).toBeNull();
  dns.records.set(name, [foreign.domains[0].record_value]);
  expect((await verify(foreign.id, app.outsider)).verified_at).not.toBeNull();
  expect((await app.admin.get(`/v1/sign-in-connections/${own.id}`)).body.domains[0].verified_at).toBeNull();
});

test('returns 404 for another company’s connection', async () => {
  const { id } = await make();
  await app.outsider.post(`/v1/sign-in-connections/${id}/verify-domains`).expect(404);
});

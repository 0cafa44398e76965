/** SAML sign-in connections: ways to enter a provider, and rejected input. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestApp, testApp } from '../../../helpers/app.ts';
import { metadataOf, selfSigned } from '../../../helpers/identity/saml-provider.ts';

const entityId = 'https://verdelog.okta.example/saml';
const persistent = { subject_attribute: null };

let app: TestApp;
let certificate: string;
let other: string;
let server: Server;
let address: string;
/** The provider's metadata. */
let published: string;
let requestCount: number;
beforeAll(async () => {
  app = await testApp({ WEBHOOK_ALLOW_PRIVATE: 'true' });
  ({ certificate } = await selfSigned());
  other = (await selfSigned()).certificate;
  server = createServer((req, res) => {
    requestCount += 1;
    if (req.url === '/elsewhere') return res.writeHead(302, { location: '/metadata' }).end();
    res.end(published);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  await new Promise((closed) => server.close(closed));
});
beforeEach(async () => {
  requestCount = 0;
  published = metadataOf(entityId, [certificate, other, certificate]);
  await app.database.query('delete from sign_in_connections');
});

const create = (saml: object, more: object = {}) =>
  app.admin.post('/v1/sign-in-connections', { name: 'Entra', kind: 'saml', saml, ...more });
const pathOf = (id: string) => `/v1/sign-in-connections/${id}`;

test('is created from metadata, and returns the values to enter at the provider', async () => {
  const { body, headers } = await create({ metadata_xml: published }).expect(201);
  const base = `${app.base_url}/oauth/connections/${body.id}`;
  expect(body).toMatchObject({
    kind: 'saml',
    issuer: entityId,
    client_id: null,
    redirect_uri: null,
    status: 'draft',
    tested_at: null,
    saml: {
      entity_id: `${base}/metadata`,
      acs_url: `${base}/acs`,
      sso_url: `${entityId}/sso`,
      metadata_url: null,
      metadata_read_at: null,
      subject_attribute: null,
    },
  });
  const certificates = [
    { fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/), expires_at: expect.stringMatching(/\.000Z$/) },
  ];
  expect(body.saml.certificates).toEqual([...certificates, ...certificates]);
  expect((await app.admin.get(headers.location!).expect(200)).body).toEqual(body);
});

test('is created from a metadata URL, which is refreshed later, or from single values', async () => {
  const saml = { metadata_url: `${address}/metadata`, subject_attribute: ' objectidentifier ' };
  const { body } = await create(saml).expect(201);
  expect(body.saml).toMatchObject({
    metadata_url: `${address}/metadata`,
    metadata_read_at: expect.any(String),
    subject_attribute: 'objectidentifier',
  });
  expect(requestCount).toBe(1);
  const base64 = certificate.replace(/-----.*-----/g, '');
  const byHand = { entity_id: 'JumpCloud', sso_url: 'https://sso.jumpcloud.example/saml2/v', certificates: [base64] };
  const created = (await create(byHand).expect(201)).body;
  expect(created).toMatchObject({ issuer: 'JumpCloud', saml: { sso_url: byHand.sso_url } });
  expect(created.saml.certificates[0].fingerprint).toBe(body.saml.certificates[0].fingerprint);
});

test('requires exactly one way to enter the provider, and only fields of its protocol', async () => {
  const by = { entity_id: entityId, sso_url: `${entityId}/sso`, certificates: [certificate] };
  const wrong: [object, object?][] = [
    [{}],
    [{ metadata_xml: published, metadata_url: `${address}/metadata` }],
    [{ metadata_xml: published, ...by }],
    [{ ...by, certificates: undefined }],
    [{ ...by, entity_id: undefined }],
    [{ ...by, sso_url: 'ftp://verdelog.example' }],
    [{ ...by, certificates: ['nothing'] }],
    [{ ...by, certificates: [] }],
    [by, { issuer: 'https://verdelog.okta.example' }],
    [by, { client_id: 'a', client_secret: 'b' }],
    [by, { kind: 'oidc' }],
    [{ ...by, unknown: true }],
  ];
  for (const [saml, more] of wrong) await create(saml, more).expect(400);
  const oidc = { name: 'Okta', issuer: 'https://verdelog.okta.example', client_id: 'a', client_secret: 'b' };
  const refused = await app.admin.post('/v1/sign-in-connections', { ...oidc, saml: by }).expect(400);
  expect(refused.body.details.saml[0].code).toBe('field_not_allowed');
  expect((await create({ ...by, certificates: undefined }).expect(400)).body.details).toHaveProperty([
    'saml.certificates',
  ]);
});

test.each<[string, () => string]>([
  ['has a document type', () => `<!DOCTYPE a [<!ENTITY b "c">]>${published}`],
  ['is of a service', () => published.replaceAll('IDPSSODescriptor', 'SPSSODescriptor')],
  [
    'is of two providers',
    () =>
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${published.slice(published.indexOf('<md:')).repeat(2)}</md:EntitiesDescriptor>`,
  ],
  ['has no entity ID', () => published.replace(/entityID="[^"]*"/, '')],
  ['has no redirect', () => published.replace('HTTP-Redirect', 'HTTP-Artifact')],
  ['has no certificate', () => metadataOf(entityId, [])],
  ['has a broken certificate', () => metadataOf(entityId, ['AAAA'])],
  ['has expired', () => metadataOf(entityId, [certificate], ' validUntil="2020-01-01T00:00:00Z"')],
  ['sends people to a script', () => published.replace(`${entityId}/sso`, 'javascript:alert(1)')],
  ['is no XML', () => 'a page'],
  ['has no end', () => `<a>${'<b/>'.repeat(22_000)}`],
])('metadata that %s is refused, with a reason', async (_name, xml) => {
  const { body } = await create({ metadata_xml: xml() }).expect(400);
  expect(body.details['saml.metadata_xml'][0].message).toMatch(/metadata|Must/);
});

test('rejects a key that is too short', async () => {
  const { certificate: short } = await selfSigned(1_024);
  const by = { entity_id: entityId, sso_url: `${entityId}/sso`, certificates: [short] };
  const { body } = await create(by).expect(400);
  expect(body.details).toHaveProperty(['saml.certificates.0']);
});

test('fetches metadata only from URLs that webhooks may use, and follows no redirect', async () => {
  await create({ metadata_url: `${address}/metadata` }).expect(201);
  await app.database.query('delete from sign_in_connections');
  requestCount = 0;
  await create({ metadata_url: `${address}/elsewhere` }).expect(400);
  expect(requestCount).toBe(1); // the redirect isn't followed, although it leads to metadata
  published = 'no metadata';
  await create({ metadata_url: `${address}/nothing` }).expect(400);
  published = metadataOf(entityId, [certificate]);
  const strict = await testApp();
  try {
    const before = requestCount;
    const body = { name: 'Entra', kind: 'saml', saml: { metadata_url: `${address}/metadata` } };
    await strict.admin.post('/v1/sign-in-connections', body).expect(400);
    const inside = { metadata_xml: metadataOf('https://10.0.0.7', [certificate]) };
    await strict.admin.post('/v1/sign-in-connections', { ...body, saml: inside }).expect(400);
    expect(requestCount).toBe(before);
  } finally {
    await strict.close();
  }
});

describe('an update', () => {
  test('replaces certificates and URLs without another test, and keeps the entity ID', async () => {
    const { id } = (await create({ metadata_xml: published }).expect(201)).body;
    await app.database.query('update sign_in_connections set tested_at = now()');
    const next = await app.admin.patch(pathOf(id), { saml: { certificates: [other] } }).expect(200);
    expect(next.body.saml).toMatchObject({ sso_url: `${entityId}/sso`, certificates: [expect.anything()] });
    expect(next.body.tested_at).not.toBeNull();
    const moved = { sso_url: 'https://other.okta.example/sso' };
    expect((await app.admin.patch(pathOf(id), { saml: moved }).expect(200)).body.saml).toMatchObject(moved);
    await app.admin.patch(pathOf(id), { saml: { metadata_url: `${address}/metadata` } }).expect(200);
    published = metadataOf('https://another.example', [certificate]);
    const foreign = await app.admin.patch(pathOf(id), { saml: { metadata_xml: published } }).expect(400);
    expect(foreign.body.details['saml.metadata_xml'][0].message).toContain('https://another.example');
    for (const wrong of [{ client_id: 'a' }, { client_secret: 'a' }, { saml: { entity_id: 'other' } }, { saml: null }])
      await app.admin.patch(pathOf(id), wrong).expect(400);
    await app.outsider.patch(pathOf(id), { saml: moved }).expect(404);
    await app.manager.patch(pathOf(id), { saml: moved }).expect(403);
  });

  test('of the subject attribute requires another test, and is rejected after people have signed in', async () => {
    const { id } = (await create({ metadata_xml: published }).expect(201)).body;
    await app.database.query('update sign_in_connections set tested_at = now()');
    const change = { saml: { subject_attribute: 'employee' } };
    const changed = (await app.admin.patch(pathOf(id), change).expect(200)).body;
    expect([changed.saml.subject_attribute, changed.tested_at]).toEqual(['employee', null]);
    await app.admin.patch(pathOf(id), { status: 'enabled' }).expect(409);
    await app.database.query(
      'insert into sign_in_links (connection_id, subject, company_id, collaborator_id, user_id) values ($1, $2, $3, $4, $5)',
      [id, randomUUID(), app.company_id, app.admin.collaborator_id, app.admin.user_id],
    );
    const refused = await app.admin.patch(pathOf(id), { saml: persistent }).expect(409);
    expect(refused.body.error).toBe('conflict');
    await app.admin.patch(pathOf(id), change).expect(200);
    await app.database.query('delete from sign_in_links');
    const back = (await app.admin.patch(pathOf(id), { saml: persistent }).expect(200)).body;
    expect(back.saml.subject_attribute).toBeNull();
  });
});

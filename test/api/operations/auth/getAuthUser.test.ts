import { createPerson } from '../../../../src/product/companies/companies.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = '/auth/user';

describe('succeeds', () => {
  test('returns user, scopes, and companies without a company header', async () => {
    const { body } = await app.anon.get(path).set('Authorization', `Bearer ${app.manager.token}`).expect(200);
    expect(body).toEqual({
      kind: 'user',
      id: app.manager.user_id,
      name: 'Rui Almeida',
      email: 'rui.almeida@example.com',
      avatar_url: null,
      scopes: expect.arrayContaining(['profile', 'collaborators:read']),
      companies: [
        { id: app.company_id, name: 'Verde Logística', role: 'manager', collaborator_id: app.manager.collaborator_id },
      ],
    });
  });

  test('lists only the companies consented to, by name, with the role in each', async () => {
    await createPerson(app.database.db, app.outsider.company_id, {
      name: 'Rui Almeida',
      email: 'rui.almeida@example.com',
      position: 'Advisor',
      department: 'Board',
      password: 'ignored: the user exists',
    });
    const both = await app.as('manager', { company_ids: [app.company_id, app.outsider.company_id] });
    const { body } = await both.get(path).expect(200);
    expect(body.companies.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
      ['Nordwind Spedition', 'employee'],
      ['Verde Logística', 'manager'],
    ]);
    const one = await app.manager.get(path).expect(200);
    expect(one.body.companies).toHaveLength(1);
  });

  test('omits companies where the user is no longer active', async () => {
    const client = await app.as('employee', {});
    await app.database.query("update collaborators set status = 'inactive' where id = $1", [
      app.employee.collaborator_id,
    ]);
    const { body } = await client.get(path).expect(200);
    expect(body.companies).toEqual([]);
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown query parameter', async () => {
    await app.admin.get(`${path}?verbose=1`).expect(400);
  });
});

describe('limits', () => {
  test('rate limits each user separately', async () => {
    const limited = await testApp({ PROFILE_REQUESTS_PER_MIN: '2' });
    try {
      for (const remaining of [1, 0]) {
        const { headers } = await limited.admin.get(path).expect(200);
        expect(headers['ratelimit-policy']).toBe('"profile";q=2;w=60');
        expect(headers.ratelimit).toMatch(new RegExp(`^"profile";r=${remaining};t=\\d+$`));
      }
      const { body, headers } = await limited.admin.get(path).expect(429);
      expect(body.error).toBe('rate_limited');
      expect(headers.ratelimit).toMatch(/^"profile";r=0;t=\d+$/);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      await limited.manager.get(path).expect(200);
      await limited.admin.get('/v1/permissions').expect(200);
    } finally {
      await limited.close();
    }
  });
});

describe('forbidden by scope', () => {
  test('rejects a token without `profile`', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:read'] });
    const { body } = await client.get(path).expect(403);
    expect(body.details.required_scopes).toEqual(['profile']);
  });
});

import { v7 as uuidv7 } from 'uuid';
import { type TestApp, type TestClient, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());
beforeEach(() => app.database.query('delete from invitations'));

const path = '/v1/invitations';
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

interface Fields {
  state?: string;
  expires_at?: string;
  company_id?: string;
}

async function addInvitation(collaboratorId: string, fields: Fields = {}): Promise<void> {
  const { state = 'sent', expires_at: expiresAt = inDays(7), company_id: companyId = app.company_id } = fields;
  await app.database.query(
    `insert into invitations (company_id, id, collaborator_id, token_hash, state, expires_at)
     values ($1, $2, $3, sha256($4::text::bytea), $5, $6)`,
    [companyId, uuidv7(), collaboratorId, uuidv7(), state, expiresAt],
  );
}

async function page(query: Record<string, string | number> = {}, client: TestClient = app.admin) {
  const { body } = await client.get(path).query(query).expect(200);
  return body as { data: { name: string; expires_at: string }[]; pagination: { nextCursor: string | null } };
}
const names = async (query?: Record<string, string>, client?: TestClient) =>
  (await page(query, client)).data.map(({ name }) => name);

describe('succeeds', () => {
  test('lists pending invitations, the first to expire first', async () => {
    const expiresAt = inDays(1);
    await addInvitation(app.employee.collaborator_id);
    await addInvitation(app.report.collaborator_id, { expires_at: expiresAt });
    for (const state of ['accepted', 'expired', 'cancelled']) {
      await addInvitation(app.manager.collaborator_id, { state });
    }
    await addInvitation(app.manager.collaborator_id, { expires_at: inDays(-1) }); // not yet marked as expired
    const { data } = await page();
    expect(data.map(({ name }) => name)).toEqual(['Clara Sousa', 'Tomás Rocha']);
    expect(data[0]).toEqual({
      collaborator_id: app.report.collaborator_id,
      name: 'Clara Sousa',
      email: 'clara.sousa@example.com',
      sent_at: expect.any(String),
      expires_at: expiresAt,
    });
    expect(await names({ expires_before: inDays(2) })).toEqual(['Clara Sousa']);
    expect(await names({ expires_before: expiresAt })).toEqual([]);
  });

  test('managers see their team’s invitations', async () => {
    await addInvitation(app.employee.collaborator_id);
    await addInvitation(app.report.collaborator_id);
    expect(await names({}, app.manager)).toEqual(['Clara Sousa']);
  });

  test('omits deleted people and other companies', async () => {
    await addInvitation(app.report.collaborator_id);
    const other = { company_id: app.outsider.company_id };
    await addInvitation(app.outsider.collaborator_id, other);
    expect(await names()).toEqual(['Clara Sousa']);
    await app.admin.delete(`/v1/collaborators/${app.report.collaborator_id}`).expect(200);
    expect(await names()).toEqual([]);
    await app.admin.post(`/v1/collaborators/${app.report.collaborator_id}/restore`).expect(200);
  });

  test('following the cursor returns each once, even if many expire at the same time', async () => {
    const expiresAt = inDays(3);
    for (const { collaborator_id: collaboratorId } of [app.employee, app.report, app.manager]) {
      await addInvitation(collaboratorId, { expires_at: expiresAt });
    }
    const walked: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, pagination } = await page(cursor ? { limit: 1, cursor } : { limit: 1 });
      walked.push(...data.map(({ name }) => name));
      cursor = pagination.nextCursor;
    }
    expect(walked.sort()).toEqual(['Clara Sousa', 'Rui Almeida', 'Tomás Rocha']);
  });
});

describe('refuses bad input', () => {
  test.each([
    ['limit=101', 'limit', 'out_of_range'],
    ['expires_before=2026-03-01', 'expires_before', 'invalid_format'],
    ['state=sent', 'state', 'field_not_allowed'],
  ])('rejects %s', async (query, parameter, code) => {
    const { body } = await app.admin.get(`${path}?${query}`).expect(400);
    expect(body.error).toBe('invalid_parameter');
    expect(body.details[parameter].map((error: { code: string }) => error.code)).toEqual([code]);
  });

  test('rejects an admin’s cursor from a manager', async () => {
    await addInvitation(app.report.collaborator_id);
    await addInvitation(app.employee.collaborator_id);
    const cursor = (await page({ limit: 1 })).pagination.nextCursor!;
    const { body } = await app.manager.get(path).query({ limit: 1, cursor }).expect(400);
    expect(body.error).toBe('invalid_cursor');
  });
});

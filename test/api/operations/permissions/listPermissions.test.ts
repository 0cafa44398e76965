import { contractOperations } from '../../../../src/contract/contract.ts';
import { type TestApp, testApp } from '../../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const path = '/v1/permissions';
interface Permission {
  operation_id: string;
  allowed: boolean;
}
const of = (body: { data: Permission[] }, id: string) =>
  body.data.find(({ operation_id: operationId }) => operationId === id);

describe('succeeds', () => {
  test('lists every operation of the contract', async () => {
    const { body } = await app.admin.get(path).expect(200);
    expect(body).toMatchObject({ company_id: app.company_id, role: 'admin' });
    expect(body.data.map(({ operation_id: operationId }: Permission) => operationId)).toEqual(
      contractOperations.map(({ operation }) => operation.operationId),
    );
    const refused = body.data.filter(({ allowed }: Permission) => !allowed);
    expect(refused.map(({ operation_id: id }: Permission) => id)).toEqual(['listColleagues']); // there is no directory
  });

  test('names the missing role', async () => {
    const { body } = await app.employee.get(path).expect(200);
    expect(of(body, 'createCollaborator')).toEqual({
      operation_id: 'createCollaborator',
      allowed: false,
      reach: 'none',
      missing_scopes: [],
      required_role: 'admin',
      needs_step_up: false,
    });
    expect(of(body, 'sendInvitation')).toMatchObject({ allowed: false, required_role: 'manager' });
    expect(of(body, 'getCollaborator')).toMatchObject({ allowed: true, reach: 'self', required_role: null });
    expect(of(body, 'getAuthUser')).toMatchObject({ allowed: true, reach: null });
  });

  test('names the missing scope', async () => {
    const client = await app.as('manager', { scopes: ['profile'] });
    const { body } = await client.get(path).expect(200);
    expect(of(body, 'getCollaborator')).toMatchObject({
      allowed: false,
      reach: 'team',
      missing_scopes: ['collaborators:read'],
      required_role: null,
      needs_step_up: false,
    });
  });
});

describe('refuses bad input', () => {
  test('rejects an unknown query parameter', async () => {
    await app.admin.get(`${path}?x=1`).expect(400);
  });
});

describe('forbidden', () => {
  test('rejects a token without `profile`', async () => {
    const client = await app.as('admin', { scopes: ['collaborators:read'] });
    await client.get(path).expect(403);
  });
});

import { authorize } from '../../../../src/api/http/steps/authorize.ts';
import { memberContext, stepServer } from '../../../helpers/steps.ts';

const scopes = ['collaborators:read', 'collaborators:write'];
const server = (role: 'admin' | 'manager' | 'employee', its = scopes) =>
  stepServer(authorize, memberContext(role, its));

test('requires every scope of the operation', async () => {
  await server('admin').post('/v1/collaborators').expect(200);
  const { body, headers } = await server('admin', ['collaborators:read']).post('/v1/collaborators').expect(403);
  expect([body.error, body.details]).toEqual(['insufficient_scope', { required_scopes: ['collaborators:write'] }]);
  expect(headers['www-authenticate']).toContain('scope="collaborators:write"');
});

test('requires a role, and names the lowest one that suffices', async () => {
  await server('employee').get('/v1/collaborators').expect(200);
  for (const role of ['manager', 'employee'] as const) {
    const { body } = await server(role).post('/v1/collaborators').expect(403);
    expect([body.error, body.details]).toEqual(['forbidden', { required_role: 'admin' }]);
  }
});

test('reports a missing scope first, because clients can’t request a role', async () => {
  expect((await server('employee', []).post('/v1/collaborators').expect(403)).body.error).toBe('insufficient_scope');
});

import { authorize } from '../../../../src/api/http/steps/authorize.ts';
import { known, stepServer } from '../../../helpers/steps.ts';

const scopes = ['collaborators:read', 'collaborators:write'];
const server = (role: 'admin' | 'manager' | 'employee', its = scopes) => stepServer(authorize, known(role, its));

test('takes every scope that the operation names', async () => {
  await server('admin').post('/v1/collaborators').expect(200);
  const { body, headers } = await server('admin', ['collaborators:read']).post('/v1/collaborators').expect(403);
  expect([body.error, body.details]).toEqual(['insufficient_scope', { required_scopes: ['collaborators:write'] }]);
  expect(headers['www-authenticate']).toContain('scope="collaborators:write"');
});

test('takes a role that may call it, and names the least one that may', async () => {
  await server('employee').get('/v1/collaborators').expect(200);
  for (const role of ['manager', 'employee'] as const) {
    const { body } = await server(role).post('/v1/collaborators').expect(403);
    expect([body.error, body.details]).toEqual(['forbidden', { required_role: 'admin' }]);
  }
});

test('tells of the scope first: a role can not be asked for', async () => {
  expect((await server('employee', []).post('/v1/collaborators').expect(403)).body.error).toBe('insufficient_scope');
});

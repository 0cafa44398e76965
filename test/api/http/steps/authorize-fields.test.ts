import type { RequestContext } from '../../../../src/api/http/request-context.ts';
import { authorizeFields } from '../../../../src/api/http/steps/authorize-fields.ts';
import { aCollaborator, memberContext, stepServer } from '../../../helpers/steps.ts';

const write = 'collaborators:write';
const sends = (
  role: 'admin' | 'manager' | 'employee',
  value: unknown,
  more: Partial<RequestContext> = {},
  scopes = [write],
) => stepServer(authorizeFields, { ...memberContext(role, scopes), body: { value, identity: value }, ...more });
const recordOf = (recordId: string) => ({ resource: { context: {}, record_id: recordId } });

test('names fields that the role can’t write, and skips others', async () => {
  const server = sends('employee', { phone: '1', department: 'Depot', nonsense: true }, recordOf(aCollaborator));
  const { body } = await server.patch(`/v1/collaborators/${aCollaborator}`).expect(403);
  expect(body).toMatchObject({ error: 'field_forbidden', message: "You can't write department." });
  expect(Object.keys(body.details)).toEqual(['department']);
});

test('the message names up to three fields, the details all', async () => {
  const fields = { department: 'Depot', position: 'Cook', location: 'Porto', hire_date: '2026-01-01' };
  const refused = async (names: (keyof typeof fields)[]) => {
    const server = sends(
      'employee',
      Object.fromEntries(names.map((name) => [name, fields[name]])),
      recordOf('another'),
    );
    return (await server.patch('/v1/collaborators/x').expect(403)).body;
  };
  const three = await refused(['department', 'position', 'location']);
  expect(three.message).toBe("You can't write position, department, location.");
  const four = await refused(['department', 'position', 'location', 'hire_date']);
  expect(four.message).toBe("You can't write position and others.");
  expect(Object.keys(four.details).sort()).toEqual(Object.keys(fields).sort());
});

test('rejects a field that needs its own scope', async () => {
  const salary = { salary: 1 };
  const { body } = await sends('admin', salary).post('/v1/collaborators').expect(403);
  expect(body.details.salary[0].message).toContain('salary:write');
  await sends('admin', salary, {}, [write, 'salary:write']).post('/v1/collaborators').expect(200);
});

test('distinguishes the caller’s own record from others', async () => {
  const phone = { phone: '1' };
  await sends('employee', phone, recordOf(aCollaborator)).patch('/v1/collaborators/x').expect(200);
  await sends('employee', phone, recordOf('another')).patch('/v1/collaborators/x').expect(403);
});

test.each([
  ['their own record', aCollaborator, 'Only your manager or an admin can change this field of your own record.'],
  ['another record', 'another', 'Writing this field needs the role manager.'],
])('tells an employee who may change a field of %s', async (_, recordId, message) => {
  const server = sends('employee', { department: 'Depot' }, recordOf(recordId));
  const { body } = await server.patch('/v1/collaborators/x').expect(403);
  expect(body.details.department[0].message).toBe(message);
});

test('names fields of items by index', async () => {
  const items = [{ name: 'Ada' }, { salary: 1 }, 'nonsense', null];
  const { body } = await sends('admin', { items }).post('/v1/collaborators/bulk').expect(403);
  expect(Object.keys(body.details)).toEqual(['items.1.salary']);
});

test('rejects a value that the caller can’t write', async () => {
  const medical = { type: 'medical' };
  const to = (id: string) => `/v1/collaborators/${id}/documents`;
  await sends('manager', medical, recordOf(aCollaborator)).post(to('x')).expect(200);
  const { body } = await sends('manager', medical, recordOf('another')).post(to('x')).expect(403);
  expect([body.error, body.details]).toEqual(['forbidden', { required_role: 'admin' }]);
  await sends('manager', { type: 'certificate' }, recordOf('another')).post(to('x')).expect(200);
});

test.each([undefined, null, 'text', 5, []])('ignores %p, which has no fields', async (value) => {
  await sends('employee', value).post('/v1/collaborators').expect(200);
});

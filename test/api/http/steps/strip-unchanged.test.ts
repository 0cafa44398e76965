import type { Services } from '../../../../src/api/handler.ts';
import type { RequestContext } from '../../../../src/api/http/request-context.ts';
import { stripUnchanged } from '../../../../src/api/http/steps/strip-unchanged.ts';
import { aCollaborator, memberContext, stepServer } from '../../../helpers/steps.ts';

const record: Record<string, unknown> = { id: aCollaborator, department: 'Depot' };
const strip = stripUnchanged({ patchCollaborator: () => (field, value) => record[field] === value }, {} as Services);
const sends = (value: unknown) => {
  const body: RequestContext['body'] = { value, identity: value };
  const found = {
    ...memberContext('employee', ['collaborators:write']),
    resource: { context: {}, record_id: aCollaborator },
  };
  return stepServer(strip, { ...found, body }, ({ body }) => ({ value: body.value, identity: body.identity }));
};
const patched = async (value: unknown) =>
  (await sends(value).patch(`/v1/collaborators/${aCollaborator}`).expect(200)).body;

test('removes unchanged values that the caller can’t write, and keeps the request’s identity', async () => {
  const sent = { ...record, phone: '1' };
  expect(await patched(sent)).toEqual({ value: { phone: '1' }, identity: sent });
});

test('keeps changed values for the error', async () => {
  const sent = { id: 'another', department: 'Office', phone: '1' };
  expect((await patched(sent)).value).toEqual(sent);
});

test.each([{ phone: '1' }, null, 'text', 5])('keeps %j, which has nothing to compare', async (sent) => {
  expect((await patched(sent)).value).toEqual(sent);
});

test('compares nothing where the operation changes nothing visible', async () => {
  const sent = { salary: 1 }; // needs a scope of its own
  expect((await sends(sent).post('/v1/collaborators').expect(200)).body.value).toEqual(sent);
});

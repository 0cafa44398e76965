import { bodyReader } from '../../../../src/api/http/body/body.ts';
import { receiveBody } from '../../../../src/api/http/steps/receive-body.ts';
import { memberContext, stepServer } from '../../../helpers/steps.ts';

const maxBytes = 1_000;
const server = stepServer(
  receiveBody(bodyReader({}, { storage: undefined, scanner: undefined, links: undefined } as never, maxBytes)),
  memberContext('admin'),
  ({ body }) => ({ received: body.value ?? null }),
);
const post = (type: string, text: string) => server.post('/v1/collaborators').set('Content-Type', type).send(text);

test('accepts JSON with or without a charset', async () => {
  for (const type of ['application/json', 'Application/JSON; charset=utf-8']) {
    expect((await post(type, '{"name":"Ada"}').expect(200)).body).toEqual({ received: { name: 'Ada' } });
  }
  const patch = server.patch('/v1/collaborators/x').set('Content-Type', 'application/merge-patch+json');
  expect((await patch.send('{"name":"Ada"}').expect(200)).body).toEqual({ received: { name: 'Ada' } });
});

test('rejects other media types, charsets, and encodings', async () => {
  expect((await post('text/plain', '{}').expect(415)).body.message).toBe('The request body must be application/json.');
  for (const charset of ['iso-8859-1', 'utf-16']) {
    const { body } = await post(`application/json; charset=${charset}`, '{}').expect(415);
    expect(body.error).toBe('unsupported_media_type');
  }
  const encoded = server.post('/v1/collaborators').set('Content-Type', 'application/json').set('Content-Encoding', 'x');
  expect((await encoded.send('{}').expect(415)).body.error).toBe('unsupported_media_type');
});

test('rejects bodies that are too large or malformed', async () => {
  expect((await post('application/json', JSON.stringify('x'.repeat(maxBytes))).expect(413)).body.error).toBe(
    'payload_too_large',
  );
  for (const text of ['{', '{"a":1}}', `${'['.repeat(200)}${']'.repeat(200)}`]) {
    expect((await post('application/json', text).expect(400)).body.error).toBe('malformed_json');
  }
});

test('doesn’t read a missing body, or one that the operation doesn’t accept', async () => {
  expect((await server.post('/v1/collaborators').expect(200)).body).toEqual({ received: null });
  const unasked = server.delete('/v1/collaborators/x').set('Content-Type', 'text/plain');
  expect((await unasked.send('anything').expect(200)).body).toEqual({ received: null });
});

/** Every error code in every language over HTTP, and the choice of language. */
import type supertest from 'supertest';
import { createResponder } from '../../src/api/http/responses/respond.ts';
import { tooManyRequests } from '../../src/api/rate-limit/rate-limit.ts';
import { contract } from '../../src/contract/contract.ts';
import { fromContract } from '../../src/contract/languages/text.ts';
import { internalError, Problem, serviceUnavailable } from '../../src/contract/problem.ts';
import { createFileLinks } from '../../src/platform/files/links.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { type TestApp, testApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { addDirectory } from '../helpers/resources/directories.ts';
import { stepServer } from '../helpers/steps.ts';

const path = '/v1/collaborators';
const tags = { en: 'en', pt: 'pt-BR', es: 'es' } as const;
const languages = ['en', 'pt', 'es'] as const;
let app: TestApp;
let serial = 0;
const person = (more: object = {}) => ({
  ...{ name: 'Lia Língua', email: `lia${++serial}@example.com`, position: 'x', department: 'y' },
  ...more,
});
const created = async (more: object = {}) => (await app.admin.post(path, person(more)).expect(201)).body.id as string;

beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

/** Renders the problem alone, where producing it would need a separate service. */
function respondWith(problem: Problem): supertest.Test {
  const responder = createResponder(false, createLogger('silent'), () => {});
  return stepServer(({ res }) => responder.fail(res, undefined, problem)).get(path);
}

type SendIn = (request: supertest.Test) => supertest.Test;

/** @param ask sends a request in a language */
const refused: Record<string, (sendIn: SendIn) => PromiseLike<supertest.Response>> = {
  validation_error: (sendIn) => sendIn(app.admin.post(path, {})),
  malformed_json: (sendIn) => sendIn(app.admin.post(path).set('Content-Type', 'application/json').send('{')),
  company_id_required: (sendIn) => sendIn(app.anon.get(path).auth(app.admin.token, { type: 'bearer' })),
  company_id_invalid: (sendIn) => sendIn(app.admin.get(path).set('X-Company-Id', 'x')),
  invalid_parameter: (sendIn) => sendIn(app.admin.get(`${path}?nothing=1`)),
  invalid_cursor: (sendIn) => sendIn(app.admin.get(`${path}?cursor=abc`)),
  pagination_conflict: (sendIn) => sendIn(app.admin.get(`${path}?page=1&limit=2`)),
  unauthorized: (sendIn) => sendIn(app.anon.get(path)),
  invalid_token: (sendIn) => sendIn(app.anon.get(path).auth('x', { type: 'bearer' })),
  token_expired: async (sendIn) =>
    sendIn((await app.as('admin', { claims: { exp: Math.floor(Date.now() / 1000) - 1 } })).get(path)),
  insufficient_user_authentication: (sendIn) => {
    const text = 'The company requires a second factor. Sign in again.';
    return sendIn(respondWith(new Problem(401, 'insufficient_user_authentication', fromContract(text))));
  },
  company_access_denied: (sendIn) => sendIn(app.admin.get(path).set('X-Company-Id', app.outsider.company_id)),
  insufficient_scope: async (sendIn) => sendIn((await app.as('admin', { scopes: ['profile'] })).get(path)),
  forbidden: (sendIn) => sendIn(app.employee.post(path, person())),
  field_forbidden: (sendIn) =>
    sendIn(app.employee.patch(`${path}/${app.employee.collaborator_id}`, { salary: 1_000_000 })),
  https_required: (sendIn) =>
    sendIn(respondWith(new Problem(403, 'https_required', fromContract('This service is available over HTTPS only.')))),
  not_found: (sendIn) => sendIn(app.admin.get(`${path}/nobody`)),
  method_not_allowed: (sendIn) => sendIn(app.admin.delete(path)),
  not_acceptable: (sendIn) => sendIn(app.admin.get(path).set('Accept', 'text/html')),
  invalid_status_transition: (sendIn) =>
    sendIn(app.admin.patch(`${path}/${app.report.collaborator_id}`, { status: 'pending' })),
  already_active: (sendIn) => sendIn(app.admin.post(`${path}/${app.report.collaborator_id}/send-invitation`)),
  last_admin: (sendIn) => sendIn(app.admin.post(`${path}/${app.admin.collaborator_id}/deactivate`)),
  email_taken: async (sendIn) => {
    const { email } = person();
    const id = await created({ email });
    await app.admin.delete(`${path}/${id}`);
    await created({ email });
    return sendIn(app.admin.post(`${path}/${id}/restore`));
  },
  managed_by_directory: async (sendIn) => {
    const directory = await addDirectory(app);
    const { body } = await directory.post('/Users', { userName: person().email }).expect(201);
    return sendIn(app.admin.patch(`${path}/${body.id}`, { name: 'Somebody else' }));
  },
  idempotency_in_progress: (sendIn) => {
    const text = 'A request with this Idempotency-Key is still running.';
    return sendIn(respondWith(new Problem(409, 'idempotency_in_progress', fromContract(text))));
  },
  conflict: async (sendIn) => {
    const webhook = { url: 'https://company.example/hooks', events: ['*'] };
    const { body } = await app.admin.post('/v1/webhooks', webhook).expect(201);
    await app.admin.put(`/v1/webhooks/${body.id}`, { status: 'deactivated' }).expect(200);
    return sendIn(app.admin.post(`/v1/webhooks/${body.id}/test`));
  },
  file_expired: (sendIn) => {
    const links = createFileLinks(app.config, app.base_url, () => Date.now() - 3_600_000);
    const { company_id: companyId } = app;
    const file = {
      filename: 'a.pdf',
      media_type: 'application/pdf',
      disposition: 'attachment',
      expiresInS: 60,
    } as const;
    const url = links.link({ company_id: companyId, key: `${companyId}/documents/aa/${'a'.repeat(40)}`, ...file });
    return sendIn(app.anon.get(new URL(url).pathname));
  },
  precondition_failed: (sendIn) =>
    sendIn(app.admin.patch(`${path}/${app.report.collaborator_id}`, { phone: '+1 2' }).set('If-Match', '"old"')),
  payload_too_large: (sendIn) => sendIn(app.admin.post(path, person({ name: 'x'.repeat(2_000_000) }))),
  unsupported_media_type: (sendIn) => sendIn(app.admin.post(path).set('Content-Type', 'text/xml').send('<x/>')),
  idempotency_key_reused: async (sendIn) => {
    const key = `key ${++serial}`;
    await app.admin.post(path, person()).set('Idempotency-Key', key).expect(201);
    return sendIn(app.admin.post(path, person()).set('Idempotency-Key', key));
  },
  import_unreadable: (sendIn) => {
    const contentBase64 = Buffer.from('<html></html>').toString('base64');
    return sendIn(app.admin.post(`${path}/import`, { filename: 'people', content_base64: contentBase64 }));
  },
  file_infected: (sendIn) =>
    sendIn(respondWith(new Problem(422, 'file_infected', fromContract('The virus scan refused this file.')))),
  rate_limited: (sendIn) => sendIn(respondWith(tooManyRequests({ retry_after_s: 2 }))),
  invitation_throttled: async (sendIn) => {
    const id = await created();
    await app.admin.post(`${path}/${id}/send-invitation`).expect(200);
    return sendIn(app.admin.post(`${path}/${id}/send-invitation`));
  },
  internal_error: (sendIn) => sendIn(respondWith(internalError(new Error('an error of the service')))),
  service_unavailable: (sendIn) => sendIn(respondWith(serviceUnavailable(new Error('the database is away')))),
};

test('covers every error code', () => {
  const codes = (contract.components.schemas.ErrorCode as { enum: string[] }).enum;
  expect(Object.keys(refused).sort()).toEqual(codes.toSorted());
});

test.each(Object.entries(refused))('translates %s', async (code, send) => {
  const messages = new Set<string>();
  for (const language of languages) {
    const { body, headers } = await send((request) => request.set('Accept-Language', tags[language]));
    expect(body.error).toBe(code);
    expect([headers['content-language'], headers.vary]).toEqual([
      tags[language],
      expect.stringMatching(/(^|, )Accept-Language$/),
    ]);
    messages.add(body.message);
  }
  expect([...messages]).toHaveLength(3);
});

describe('language selection', () => {
  const refusal = (client = app.admin) => client.get(`${path}/nobody`).expect(404);
  const portuguese = 'Recurso não encontrado.';
  const spanish = 'Recurso no encontrado.';

  test.each([
    ['pt-PT', portuguese],
    ['de, es;q=0.2, en;q=0.1', spanish],
    ['en;q=0.1, pt;q=0.9', portuguese],
    ['de', 'There is no such resource.'],
    ['*', 'There is no such resource.'],
    [';q=', 'There is no such resource.'],
  ])('follows Accept-Language: %s', async (header, message) => {
    expect((await refusal().set('Accept-Language', header)).body.message).toBe(message);
  });

  test('applies to requests rejected at the HTTP level too', async () => {
    const broken = await app.anon.get('/v1/nothing').set('Host', 'no host').set('Accept-Language', 'es').expect(400);
    expect(broken.body.message).toBe('La cabecera Host no indica ningún host.');
    const elsewhere = await app.anon.get('/nowhere').set('Accept-Language', 'pt').expect(404);
    expect([elsewhere.body.message, elsewhere.headers.vary]).toEqual([portuguese, 'Accept-Language']);
  });

  test('prefers the user’s own setting, in its company only', async () => {
    const settings = `${path}/${app.manager.collaborator_id}/notifications`;
    const expectMessage = async (message: string) => {
      const { body } = await refusal(app.manager).set('Accept-Language', 'pt');
      expect(body.message).toBe(message);
    };
    await expectMessage(portuguese);
    await app.manager.put(settings, { locale: 'es-MX' }).expect(200);
    await eventually(() => expectMessage(spanish));
    expect((await refusal(app.admin).set('Accept-Language', 'pt')).body.message).toBe(portuguese);
    await app.manager.put(settings, { locale: 'de' }).expect(200);
    await eventually(() => expectMessage(portuguese));
    await app.manager.put(settings, { locale: 'en' }).expect(200);
    await eventually(() => expectMessage('There is no such resource.'));
    await app.manager.put(settings, { locale: null }).expect(200);
    await eventually(() => expectMessage(portuguese));
  });
});

describe('translated messages', () => {
  test('of fields include values and plural forms', async () => {
    const body = { name: 'A', position: 'x'.repeat(201), email: 'nobody', department: 7, salary: 1.234 };
    const response = await app.admin.post(path, body).set('Accept-Language', 'pt-BR').expect(400);
    expect(response.body.message).toBe('A requisição tem 5 campos que não são válidos.');
    const messages = Object.values<{ message: string }[]>(response.body.details)
      .flat()
      .map(({ message }) => message);
    expect(messages).toEqual(
      expect.arrayContaining([
        'Deve ter no mínimo 2 caracteres.',
        'Deve ser um endereço de e-mail válido, como ana@company.example.',
        'Deve ser um texto.',
        'Deve ter no máximo 2 casas decimais.',
      ]),
    );
    const { body: one } = await app.admin
      .post(path, person({ name: '' }))
      .set('Accept-Language', 'pt')
      .expect(400);
    expect(one.message).toBe('A requisição tem um campo que não é válido.');
  });

  test('of bulk items', async () => {
    const items = [person({ manager_id: 'nobody' }), person({ position: ' ' })];
    const request = { mode: 'create', dry_run: true, items };
    const { body } = await app.admin.post(`${path}/bulk`, request).set('Accept-Language', 'es').expect(200);
    expect(body.results.map(({ error }: { error: { details: object } }) => error.details)).toEqual([
      { manager_id: [{ code: 'not_found', message: 'Esa persona no es colaboradora de esta empresa.' }] },
      { position: [{ code: 'too_short', message: 'No puede quedar en blanco: escriba algo más que espacios.' }] },
    ]);
  });

  test('of a replay keep the language of the first response', async () => {
    const send = (language: string) =>
      app.admin
        .post(`${path}/${app.admin.collaborator_id}/deactivate`)
        .set({ 'Idempotency-Key': 'said once', 'Accept-Language': language });
    const first = await send('pt').expect(409);
    const replay = await send('es').expect(409);
    expect(replay.text).toBe(first.text);
    expect([replay.headers['content-language'], replay.headers['idempotency-replayed']]).toEqual(['pt-BR', 'true']);
    expect(first.body.message).toMatch(/^Uma empresa precisa/);
  });

  test('of a webhook whose headers override ours', async () => {
    const webhook = { url: 'https://company.example/hooks', events: ['*'], headers: { 'Webhook-Id': 'x' } };
    const { body } = await app.admin.post('/v1/webhooks', webhook).set('Accept-Language', 'pt').expect(201);
    expect(body.warnings[0].message).toMatch(/^Este cabeçalho substitui/);
    const { body: stored } = await app.admin.get(`/v1/webhooks/${body.id}`).expect(200);
    expect(stored.warnings[0].message).toMatch(/^This header replaces/);
  });

  test('exclude texts for programs, such as the token challenge', async () => {
    const { headers } = await app.anon.get(path).auth('x', { type: 'bearer' }).set('Accept-Language', 'pt').expect(401);
    expect(headers['www-authenticate']).toContain('error_description="The access token is not valid."');
  });

  test('fit the maximum length even if a translation is longer', async () => {
    for (const language of ['pt', 'es']) {
      const { body } = await app.admin.get(`${path}?fields=${'%22'.repeat(40)}`).set('Accept-Language', language);
      const { message } = body.details.fields[0];
      expect(message).toContain('\\"'.repeat(30)); // the longest form of a name, after which it is cut
      expect(message.length).toBeLessThanOrEqual(500);
    }
  });
});

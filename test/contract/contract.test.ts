/** Rules that hold for every operation of the contract. */
import { existsSync } from 'node:fs';
import { handlers } from '../../src/api/http/handlers.ts';
import { contract, contractOperations, type Operation, resolve, type Schema } from '../../src/contract/contract.ts';
import { describeScopes, supportedScopes } from '../../src/identity/grants/scopes.ts';
import { type TestApp, type TestClient, testApp } from '../helpers/app.ts';
import { schemaErrors } from '../helpers/contract/contract-schemas.ts';
import { addConnection } from '../helpers/database/connections.ts';
import { addApp } from '../helpers/resources/apps.ts';
import { defineField } from '../helpers/resources/custom-fields.ts';
import { addDirectory } from '../helpers/resources/directories.ts';
import { addDocument } from '../helpers/resources/documents.ts';
import { startImport } from '../helpers/resources/imports.ts';
import { addSignInConnection } from '../helpers/resources/sign-in-connections.ts';
import { addDelivery, addWebhook } from '../helpers/resources/webhooks.ts';

let app: TestApp;
let withoutScopes: TestClient;
let appId: string;
let connectionId: string;
let directoryId: string;
let fieldKey: string;
let savedViewId: string;
let webhookId: string;
let deliveryId: string;
let documentId: string;
let exportId: string;
let importId: string;
let signInConnectionId: string;
beforeAll(async () => {
  app = await testApp();
  withoutScopes = await app.as('admin', { scopes: ['offline_access'] });
  appId = await addApp(app);
  connectionId = await addConnection(app);
  directoryId = (await addDirectory(app)).id;
  signInConnectionId = await addSignInConnection(app);
  fieldKey = (await defineField(app.admin, { key: 'shirt_size', type: 'text' })).key;
  savedViewId = (await app.admin.post('/v1/saved-views', { name: 'All', filters: {} }).expect(201)).body.id;
  webhookId = await addWebhook(app);
  deliveryId = await addDelivery(app, webhookId);
  documentId = await addDocument(app, app.report.collaborator_id);
  exportId = (await app.admin.get('/v1/collaborators/export/list').expect(200)).body.id;
  importId = await startImport(app.admin, {});
});
afterAll(() => app.close());

const operations = contractOperations.map((each) => [each.operation.operationId, each] as const);
const unknownId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';
const concrete = (path: string) => path.replaceAll(/\{\w+\}/g, unknownId);
/** Replaces ids in the path by those of existing records. */
const existing = (path: string) =>
  path
    .replace('/exports/{id}', `/exports/${exportId}`)
    .replace('/apps/{id}', `/apps/${appId}`)
    .replace('/directories/{id}', `/directories/${directoryId}`)
    .replace('/sign-in-connections/{id}', `/sign-in-connections/${signInConnectionId}`)
    .replace('/connections/{id}', `/connections/${connectionId}`)
    .replace('/webhooks/{id}', `/webhooks/${webhookId}`)
    .replace('/imports/{id}', `/imports/${importId}`)
    .replace('/saved-views/{id}', `/saved-views/${savedViewId}`)
    .replace('{key}', fieldKey)
    .replace('{field_name}', `custom_fields.${fieldKey}`)
    .replace('{id}', app.report.collaborator_id)
    .replace('{delivery_id}', deliveryId)
    .replace('{document_id}', documentId);

describe.each(operations)('%s', (operationId, { path, method, operation }) => {
  const folder = operation.tags[0];

  test('has a handler in a file of its name, and a test file', () => {
    expect(handlers).toHaveProperty(operationId);
    expect(existsSync(new URL(`../../src/api/operations/${folder}/${operationId}.ts`, import.meta.url))).toBe(true);
    expect(existsSync(new URL(`../api/operations/${folder}/${operationId}.test.ts`, import.meta.url))).toBe(true);
  });

  test('returns 401 without a token', async () => {
    const { status, body, headers } = await app.anon[method](concrete(path)).set('X-Company-Id', app.company_id);
    expect([status, body.error]).toEqual([401, 'unauthorized']);
    const refusal = resolve(operation.responses[401]!) as { headers?: object };
    const declared = Object.keys(refusal.headers ?? {}).map((name) => name.toLowerCase());
    const own = Object.keys(headers).filter((name) =>
      /^(x-api|x-request|ratelimit|retry|www-|content-language)/.test(name),
    );
    expect(declared).toEqual(expect.arrayContaining(own));
  });

  test('returns 403 to a token without its scopes, for a record within reach', async () => {
    const { status, body } = await withoutScopes[method](existing(path));
    expect([status, body.error]).toEqual([403, 'insufficient_scope']);
  });

  if (path.startsWith('/v1/')) {
    test('requires one of the caller’s companies', async () => {
      const send = () => app.anon[method](concrete(path)).set('Authorization', `Bearer ${app.admin.token}`);
      expect((await send()).body.error).toBe('company_id_required');
      expect((await send().set('X-Company-Id', app.outsider.company_id)).body.error).toBe('company_access_denied');
    });
  }
  if (path.includes('{') && method === 'get') {
    test('finds the record whose id the other tests use', async () => {
      expect((await app.admin.get(existing(path))).status).not.toBe(404);
    });
  }
  if (path.includes('{')) {
    test('returns the same 404 for foreign and unknown ids, byte for byte', async () => {
      expect(existing(path)).not.toContain('{');
      const unknown = await app.outsider[method](concrete(path));
      const foreign = await app.outsider[method](existing(path));
      expect([unknown.status, unknown.body.error]).toEqual([404, 'not_found']);
      expect(foreign.text).toBe(unknown.text);
    });
  }

  if (path.startsWith('/v1/')) {
    test('includes the rate limit in every response after it was checked', () => {
      const before = ['401', '408', '414', '431'];
      const silent = Object.entries(operation.responses).flatMap(([status, response]) => {
        const { headers = {} } = resolve(response) as { headers?: object };
        return 'RateLimit' in headers && 'RateLimit-Policy' in headers ? [] : [status];
      });
      expect(silent.filter((status) => !before.includes(status))).toEqual([]);
    });
  }

  test('declares its possible responses, with valid examples', () => {
    const declared = Object.keys(operation.responses);
    expect(declared).toEqual(expect.arrayContaining(['400', '401', '403', '406', '408', '414', '431', '500', '503']));
    for (const { schema, examples } of bodiesOf(operation)) {
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) expect(schemaErrors(schema, example)).toEqual([]);
    }
  });
});

test('contract, metadata, and consent page list the same scopes', async () => {
  const schemes = contract.components.securitySchemes as Record<string, { flows: Record<string, { scopes: object }> }>;
  const inContract = Object.keys(schemes.oauth2!.flows.authorizationCode!.scopes).sort();
  expect(inContract).toEqual([...supportedScopes].sort());
  const metadata = await fetch(`${app.base_url}/.well-known/oauth-authorization-server`);
  const { scopes_supported: inMetadata } = (await metadata.json()) as { scopes_supported: string[] };
  expect(inMetadata.sort()).toEqual(inContract);
  const described = describeScopes(inContract.join(' ')).map(String);
  expect(described).toHaveLength(inContract.length);
  expect(new Set(described).size).toBe(inContract.length);
});

interface Body {
  schema: Schema;
  examples: unknown[];
}

function bodiesOf(operation: Operation): Body[] {
  const holders = [operation.requestBody, ...Object.values(operation.responses).map((response) => resolve(response))];
  return holders
    .flatMap((holder) => Object.entries(holder?.content ?? {}))
    .map(([, media]) => {
      const { schema, example, examples } = media as {
        schema: Schema;
        example?: unknown;
        examples?: Record<string, object>;
      };
      const named = Object.values(examples ?? {}).map((each) => (resolve(each) as { value: unknown }).value);
      return { schema, examples: example === undefined ? named : [example, ...named] };
    });
}

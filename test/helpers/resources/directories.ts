/** Directories, and SCIM clients that send what an identity provider sends. */
import { Agent } from 'node:http';
import supertest from 'supertest';
import { v7 as uuidv7 } from 'uuid';
import { forgetMembers } from '../../../src/identity/members/member.ts';
import { newScannable } from '../../../src/platform/secrets/scannable.ts';
import { secretHash } from '../../../src/platform/secrets/secrets.ts';
import type { TestDatabase } from '../database/database.ts';

export interface TestDirectory {
  id: string;
  token: string;
  get(path: string): supertest.Test;
  post(path: string, body: object): supertest.Test;
  put(path: string, body: object): supertest.Test;
  patch(path: string, ...operations: object[]): supertest.Test;
  delete(path: string): supertest.Test;
}

interface Settings {
  on_delete?: string;
  name?: string;
  on_create?: string;
  match_by?: string;
  on_local_change?: string;
}

/** Inserts a directory as a row, which allows more of them than the API does. */
export async function addDirectory(
  app: { database: TestDatabase; company_id: string; base_url: string },
  settings: Settings = {},
): Promise<TestDirectory> {
  const id = uuidv7();
  const token = newScannable('directory_token');
  const row = {
    id,
    company_id: app.company_id,
    name: 'Okta',
    token_hash: secretHash(token),
    on_delete: 'deactivate',
    on_create: 'pending',
    match_by: 'email',
    on_local_change: 'refuse',
    default_department: 'Unassigned',
    default_position: 'Unassigned',
    ...settings,
  };
  await app.database.db.global.insertInto('directories').values(row).execute();
  forgetMembers(app.company_id); // members are cached with the company's directories
  return directoryClient(app.base_url, id, token);
}

/** Keeps connections open between requests. */
const agent = new Agent({ keepAlive: true });

export function directoryClient(baseUrl: string, id: string, token: string): TestDirectory {
  const client = supertest(baseUrl);
  const send = (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) => {
    const request = client[method](`/scim/v2/${id}${path}`)
      .agent(agent)
      .set('Authorization', `Bearer ${token}`)
      .buffer(true)
      .parse((res, done) => {
        let text = '';
        res.on('data', (chunk) => {
          text += chunk;
        });
        res.on('end', () => done(null, text === '' ? undefined : JSON.parse(text)));
      });
    return body === undefined
      ? request
      : request.set('Content-Type', 'application/scim+json').send(JSON.stringify(body));
  };
  return {
    id,
    token,
    get: (path) => send('get', path),
    post: (path, body) => send('post', path, body),
    put: (path, body) => send('put', path, body),
    patch: (path, ...operations) => send('patch', path, { schemas: [patchUrn], Operations: operations }),
    delete: (path) => send('delete', path),
  };
}

const patchUrn = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const userUrn = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const enterpriseUrn = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

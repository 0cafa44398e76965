// The attack target: a service, callers of one company, and its records.
import { setTimeout as sleep } from 'node:timers/promises';
import { type FuzzResponse, send } from './send.ts';
import { formBytes, formType } from './values/forms.ts';

export const roles = ['admin', 'manager', 'employee'] as const;

export type Role = (typeof roles)[number];

export interface Caller {
  token: string;
  company_id: string;
}

export interface Target {
  base_url: string;
  callers: Record<Role, Caller>;
  /** Connects an app for a user who is not a caller. @returns the connection id */
  connect(): Promise<string>;
}

/** Record ids by path segment: `collaborators`, `webhooks/deliveries` … */
export interface World extends Target {
  ids: Map<string, string[]>;
  /** Reloads records of a kind, and creates some if there are too few. */
  refresh(kind: string): Promise<void>;
}

const minRecords = 4;

/**
 * @param target its callers are not among the records, so that no request locks them out
 * @param label unique text to put into all created data
 */
export async function createWorld(target: Target, label = 'fuzz'): Promise<World> {
  const ids = new Map<string, string[]>();
  const world: World = { ...target, ids, refresh: (kind) => refresh(world, label, kind) };
  await sendAsAdmin(world, 'PUT', '/v1/company', { policy: { directory_visibility: 'basic' } });
  for (const kind of kinds) await world.refresh(kind);
  return world;
}

/** Ordered so that each depends only on earlier ones. */
export const kinds = [
  'custom-fields',
  'directories',
  'sign-in-connections',
  'collaborators',
  'collaborators/documents',
  'webhooks',
  'webhooks/deliveries',
  'imports',
  'exports',
  'apps',
  'connections',
  'saved-views',
] as const;

/** An attack has deleted the parent in the meantime. */
class ParentDeleted extends Error {
  override name = 'ParentDeleted';
}

function ignoreParentDeleted(error: unknown): undefined {
  if (!(error instanceof ParentDeleted)) throw error;
}

async function refresh(world: World, label: string, kind: string): Promise<void> {
  const { ids } = world;
  const known = ids.get(kind) ?? [];
  const existing: string[] = [];
  for (const id of known) if ((await sendAsAdmin(world, 'GET', pathOf(kind, id))).status === 200) existing.push(id);
  for (let n = existing.length; n < minRecords; n++) {
    const created = await make(world, label, kind, n).catch(ignoreParentDeleted);
    if (created) existing.push(created);
    else break;
  }
  ids.set(kind, existing);
}

/** @param id record id, or `<parent id>/<id>` */
function pathOf(kind: string, id: string): string {
  const [of, part] = kind.split('/');
  const [first, second] = id.split('/');
  return part ? `/v1/${of}/${first}/${part}/${second}` : `/v1/${of}/${first}`;
}

let serial = 0;

async function make(world: World, label: string, kind: string, n: number): Promise<string | undefined> {
  const some = (of: string) => world.ids.get(of)![n % world.ids.get(of)!.length]!;
  serial += 1;
  const unique = `${label.toLowerCase()}${Date.now().toString(36)}${serial}`;
  switch (kind) {
    case 'saved-views': {
      const known = await listed(world, kind, 'id');
      if (known.length > 40) return known.find((id) => !world.ids.get(kind)?.includes(id));
      return created(await sendAsAdmin(world, 'POST', '/v1/saved-views', { name: `${label} view`, filters: {} })).id;
    }
    case 'custom-fields': {
      const known = await listed(world, kind, 'key');
      if (known.length > 90) return known.find((key) => !world.ids.get(kind)?.includes(key));
      const type = ['text', 'number', 'boolean', 'date'][n % 4];
      const field = { key: `f_${unique}`, type, label: { default: label }, read: 'employee', write: 'employee' };
      return (created(await sendAsAdmin(world, 'POST', '/v1/custom-fields', field)) as unknown as { key: string }).key;
    }
    case 'directories': {
      const known = await listed(world, kind, 'id');
      const other = known.find((id) => !world.ids.get(kind)?.includes(id));
      if (other) return other;
      const response = await sendAsAdmin(world, 'POST', '/v1/directories', { name: `${label} directory` });
      return response.status === 201 ? created(response).id : undefined;
    }
    case 'sign-in-connections': {
      const known = await listed(world, kind, 'id');
      const other = known.find((id) => !world.ids.get(kind)?.includes(id));
      if (other) return other;
      const connection = {
        name: `${label} provider`,
        issuer: 'http://127.0.0.1:65500/',
        client_id: unique,
        client_secret: label,
        domains: [`${unique}.example`],
      };
      const response = await sendAsAdmin(world, 'POST', '/v1/sign-in-connections', connection);
      return response.status === 201 ? created(response).id : undefined;
    }
    case 'collaborators': {
      const person = {
        name: `${label} Person`,
        email: `${unique}@example.com`,
        position: `${label} tester`,
        department: label,
      };
      return created(await sendAsAdmin(world, 'POST', '/v1/collaborators', person)).id;
    }
    case 'collaborators/documents': {
      const owner = some('collaborators');
      const parts = [
        { name: 'type', content: 'contract' },
        { name: 'description', content: `${label} document` },
        { name: 'file', content: pdf, filename: `${label}.pdf`, type: 'application/pdf' },
      ];
      return `${owner}/${created(await sendAsAdmin(world, 'POST', `/v1/collaborators/${owner}/documents`, formBytes(parts))).id}`;
    }
    case 'webhooks': {
      const { data } = created(await sendAsAdmin(world, 'GET', '/v1/webhooks?limit=100')) as unknown as {
        data: { id: string }[];
      };
      const other = data.find(({ id }) => !world.ids.get(kind)?.includes(id));
      if (data.length > 15) return other?.id;
      const webhook = {
        url: 'http://127.0.0.1:65500/hook',
        events: ['*'],
        description: label,
        headers: { 'X-Label': label },
      };
      return created(await sendAsAdmin(world, 'POST', '/v1/webhooks', webhook)).id;
    }
    case 'webhooks/deliveries': {
      const webhook = some('webhooks');
      await sendAsAdmin(world, 'POST', `/v1/webhooks/${webhook}/activate`, {});
      await sendAsAdmin(world, 'POST', `/v1/webhooks/${webhook}/test`);
      for (let look = 0; look < 20; look++) {
        const { data } = created(await sendAsAdmin(world, 'GET', `/v1/webhooks/${webhook}/deliveries`)) as unknown as {
          data: { id: string }[];
        };
        if (data[0]) return `${webhook}/${data[0].id}`;
        await sleep(50);
      }
      return undefined;
    }
    case 'imports': {
      const content = `name,email,position,department\n${label} Row,${unique}@example.com,x,${label}\n,bad,,\n`;
      const job = { filename: `${label}.csv`, content_base64: Buffer.from(content).toString('base64'), dry_run: true };
      const response = await sendAsAdmin(world, 'POST', '/v1/collaborators/import', job);
      return response.status === 202 ? created(response).id : undefined;
    }
    case 'apps': {
      const { data } = created(await sendAsAdmin(world, 'GET', '/v1/apps')) as unknown as {
        data: { client_id: string }[];
      };
      const other = data.find(({ client_id: clientId }) => !world.ids.get(kind)?.includes(clientId));
      if (data.length > 15) return other?.client_id;
      const app = { name: `${label} App`, kind: 'confidential', redirect_uris: ['https://app.example/callback'] };
      return (created(await sendAsAdmin(world, 'POST', '/v1/apps', app)) as unknown as { client_id: string }).client_id;
    }
    case 'connections':
      return world.connect();
    default:
      return created(await sendAsAdmin(world, 'GET', '/v1/collaborators/export/list?format=csv')).id;
  }
}

async function listed(world: World, kind: string, id: string): Promise<string[]> {
  const { data } = created(await sendAsAdmin(world, 'GET', `/v1/${kind}`)) as unknown as {
    data: Record<string, string>[];
  };
  return data.map((each) => each[id]!);
}

const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');

function sendAsAdmin(world: World, method: string, path: string, body?: object | Buffer): Promise<FuzzResponse> {
  const { token, company_id: companyId } = world.callers.admin;
  const type = Buffer.isBuffer(body) ? formType : 'application/json';
  const headers: [string, string][] = [
    ['Authorization', `Bearer ${token}`],
    ['X-Company-Id', companyId],
  ];
  if (body) headers.push(['Content-Type', type]);
  const bytes = body && (Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)));
  return send(world.base_url, { method, path, headers, body: bytes });
}

function created({ status, text }: FuzzResponse): { id: string } {
  if (status === 404) throw new ParentDeleted();
  if (status >= 400) throw new Error(`could not create the test data: ${status} ${text}`);
  return JSON.parse(text);
}

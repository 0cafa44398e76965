/** A company that uses every feature: created once by the first release, and compared by every later version. */
import sharp from 'sharp';
import { eventually } from '../../../helpers/eventually.ts';
import { pdf } from '../../../helpers/resources/documents.ts';

export type Send = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<ApiResponse>;

export interface ApiResponse {
  status: number;
  headers: Headers;
  body: Row & { data?: Row[] };
}

export interface Row {
  id: string;
  [property: string]: unknown;
}

/** Repeating it with its key returns the stored response. */
export const keyed = {
  path: '/v1/collaborators',
  headers: { 'Idempotency-Key': 'first-release' },
  body: { name: 'Ida Brandt', email: 'ida@verde.example', position: 'Planner', department: 'Operations' },
};

const csv = (...rows: string[]) => Buffer.from(['Name,E-mail,Cargo,Departamento,hire_date', ...rows].join('\n'));

export async function useEverything(send: Send, hookUrl: string): Promise<void> {
  const done = async (...request: Parameters<Send>) => {
    const { status, body } = await send(...request);
    if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  await done('PUT', '/v1/company', { time_zone: 'Europe/Lisbon', policy: { session_max_age: 86_400 } });
  await done('POST', '/v1/webhooks', {
    url: hookUrl,
    events: ['collaborator.created', 'import.*'],
    headers: { 'X-Team': 'harbour' },
  });
  await done('POST', keyed.path, keyed.body, keyed.headers);
  const { id } = await done('POST', '/v1/collaborators', {
    ...{ name: 'Rui Almeida', email: 'rui@verde.example', position: 'Driver', department: 'Fleet', salary: 24_000.5 },
    ...{ external_id: 'HR-7', hire_date: '2024-02-01', emergency_contact: { name: 'Nuno', phone: '+351 912' } },
  });
  const path = `/v1/collaborators/${id}`;
  await done('PATCH', path, { position: 'Dispatcher', salary: 26_000 });
  await done('PUT', `${path}/notifications`, { channels: { sms: true }, locale: 'pt-PT' });
  const form = new FormData();
  form.set('type', 'contract');
  form.set('file', new Blob([new Uint8Array(pdf)]), 'contract.pdf');
  await done('POST', `${path}/documents`, form);
  const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  await done('PUT', `${path}/photo`, { content_base64: base64(photo) });
  await done('POST', `${path}/send-invitation`);
  await done('POST', '/v1/apps', { name: 'Rota', kind: 'public', redirect_uris: ['https://rota.example/callback'] });
  const deleted = await done('POST', '/v1/collaborators', { ...keyed.body, name: 'Old', email: 'old@verde.example' });
  await done('DELETE', `/v1/collaborators/${deleted.id}`);

  const good = csv(
    'Eva Lind,eva@verde.example,Driver,Fleet,03/04/2024',
    'Jo Berg,jo@verde.example,Driver,Fleet,25/12/2023',
  );
  const faulty = csv('Eva Lind,not an address,Driver,Fleet,', ',kim@verde.example,Driver,Fleet,');
  for (const [filename, file, options] of [
    ['checked.csv', good, { dry_run: true }],
    ['people.csv', good, { date_order: 'dmy' }],
    ['faulty.csv', faulty, {}],
    ['unreadable.csv', Buffer.from('a,b\n1,2\n'), {}],
  ] as const) {
    await done('POST', '/v1/collaborators/import', { filename, content_base64: base64(file), ...options });
  }
  for (const format of ['csv', 'xlsx']) await done('GET', `/v1/collaborators/export/list?format=${format}`);
  await done('GET', '/v1/collaborators/export/group');
  await eventually(async () => {
    const { data: imports = [] } = await done('GET', '/v1/imports');
    const { data: webhooks = [] } = await done('GET', '/v1/webhooks');
    const { data: deliveries = [] } = await done('GET', `/v1/webhooks/${webhooks[0]!.id}/deliveries?limit=100`);
    expect(imports.filter(({ completed_at: completedAt }) => completedAt === null)).toEqual([]);
    expect(deliveries.filter(({ status }) => status !== 'succeeded')).toEqual([]);
    expect(deliveries).toContainEqual(expect.objectContaining({ event: 'import.completed' }));
  });
}

/** Reads the company, by path. */
export async function readEverything(send: Send): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  const readPath = async (path: string) => {
    const { status, body } = await send('GET', path);
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
    responses[path] = comparable(body);
    return body.data ?? [];
  };
  for (const path of [
    '/auth/user',
    '/v1/company',
    '/v1/invitations',
    '/v1/apps',
    '/v1/audit?limit=100',
    '/v1/events?limit=100',
  ]) {
    await readPath(path);
  }
  for (const { id } of await readPath('/v1/collaborators?limit=100')) {
    for (const part of ['', '/status', '/history', '/documents', '/notifications']) {
      await readPath(`/v1/collaborators/${id}${part}`);
    }
  }
  for (const { id } of await readPath('/v1/imports')) {
    for (const part of ['', '/errors']) await readPath(`/v1/imports/${id}${part}`);
  }
  for (const { id } of await readPath('/v1/exports')) await readPath(`/v1/exports/${id}`);
  for (const { id } of await readPath('/v1/webhooks')) {
    for (const { id: delivery } of await readPath(`/v1/webhooks/${id}/deliveries`)) {
      await readPath(`/v1/webhooks/${id}/deliveries/${delivery}`);
    }
  }
  return responses;
}

/** Without values that differ each time, and with lists by id, because they may grow. */
function comparable(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    if (/\/files\//.test(value)) return 'a link';
    if (['position', 'nextCursor'].includes(key)) return 'a cursor';
    return value.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|^\d{10}$/g, 'a time');
  }
  if (Array.isArray(value)) {
    if (!value[0]?.id) return value.map((item) => comparable(item));
    return Object.fromEntries(value.map((item) => [item.id, comparable(item)]));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each, name)]));
}

function base64(content: Buffer): string {
  return content.toString('base64');
}

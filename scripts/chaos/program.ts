// The program of one client: what it does next is drawn from its own random numbers, and every answer goes into the model.
// The people of a client are its own, in a department of their own, so that it always knows what it has to find.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Client, Send } from './client.ts';
import type { Ledger } from './ledger.ts';
import { counted, type Model, type Person, type PersonFields } from './model.ts';
import type { Random } from './random.ts';
import type { Receivers } from './receivers.ts';

const import_rows = 25;
const largest_document_bytes = 60_000;
const most_subscriptions = 3;

export interface ProgramOptions {
  number: number;
  client: Client;
  model: Model;
  ledger: Ledger;
  receivers: Receivers;
  random: Random;
  /** Pictures to be used as photos. */
  photos: Buffer[];
  /** Operations that are left out. */
  without: readonly OperationName[];
  /** Pause between two requests, on average, in milliseconds. */
  pause_ms: number;
}

export interface Program {
  /** Does one thing. */
  step(): Promise<void>;
  /** Goes on until `signal` is aborted; what it is at is finished. */
  run(signal: AbortSignal): Promise<void>;
}

export function createProgram(options: ProgramOptions): Program {
  const { number, client, model, ledger, receivers, random, photos } = options;
  const { company_id } = client;
  const department = `Department ${number}`;
  const mine: Person[] = [];
  let serial = 0;
  let subscriptions = 0;
  /** Somebody may be there, or not, of whom nobody told us: lists of the department are not exact any more. */
  let is_exact = true;

  const living = () => mine.filter(({ fields, doubt }) => !fields.deleted && !doubt);
  const unique = () => `${number}-${++serial}-${randomBytes(3).toString('hex')}`;
  const newFields = () => {
    const tag = unique();
    return { name: `Person ${tag}`, email: `p${tag}@example.com`, position: `Position ${tag}`, department };
  };

  function know(body: PersonBody): Person {
    const person: Person = {
      id: body.id,
      company_id,
      fields: fieldsOf(body),
      actions: new Map([['created', 1]]),
      doubt: undefined,
      invited: false,
      documents: [],
      has_photo: false,
    };
    mine.push(person);
    model.people.push(person);
    return person;
  }

  /** A write to one person: what it does to the row, and what the history says about it. */
  async function write(
    person: Person,
    operation: string,
    request: Send,
    action: string | undefined,
    change: Partial<PersonFields>,
  ): Promise<Answer | undefined> {
    const after = { ...person.fields, ...change };
    const answer = await client.send(operation, request);
    if (!answer) {
      person.doubt = { action, fields: after };
      is_exact = false;
      return undefined;
    }
    if (answer.status >= 400) return answer;
    person.fields = after;
    if (action) counted(person, action);
    return answer;
  }

  const someone = (holds: (person: Person) => boolean = () => true): Person | undefined => {
    const found = living().filter(holds);
    return found.length === 0 ? undefined : random.pick(found);
  };

  const operations: Record<OperationName, () => Promise<void>> = {
    async create() {
      const fields = { ...newFields(), phone: '+351 210 000 000', salary: random.below(90_000) };
      const answer = await client.send('create', { method: 'POST', path: '/v1/collaborators', json: fields });
      if (answer?.status === 201) know(answer.body);
      else if (!answer) {
        model.doubts.emails.push({ company_id, email: fields.email });
        is_exact = false;
      }
    },
    async patch() {
      const person = someone();
      if (!person) return operations.create();
      const change = { position: `Position ${unique()}`, salary: 1_000 + serial };
      const path = `/v1/collaborators/${person.id}`;
      await write(person, 'patch', { method: 'PATCH', path, json: change }, 'updated', change);
    },
    async update() {
      const person = someone();
      if (!person) return operations.create();
      const change = { name: `Person ${unique()}`, location: `Room ${serial}`, phone: null };
      const path = `/v1/collaborators/${person.id}`;
      await write(person, 'update', { method: 'PUT', path, json: change }, 'updated', change);
    },
    async role() {
      const person = someone();
      if (!person) return;
      const role = person.fields.role === 'employee' ? 'manager' : 'employee';
      const path = `/v1/collaborators/${person.id}/role`;
      await write(person, 'role', { method: 'POST', path, json: { role } }, 'role_changed', { role });
    },
    async activate() {
      const person = someone(({ fields }) => fields.status === 'pending');
      if (!person) return;
      const path = `/v1/collaborators/${person.id}/activate`;
      await write(person, 'activate', { method: 'POST', path }, 'status_changed', { status: 'active' });
    },
    async deactivate() {
      const person = someone(({ fields }) => fields.status !== 'inactive');
      if (!person) return;
      const path = `/v1/collaborators/${person.id}/deactivate`;
      await write(person, 'deactivate', { method: 'POST', path }, 'status_changed', { status: 'inactive' });
    },
    async delete() {
      const person = someone();
      if (!person) return;
      const request: Send = { method: 'DELETE', path: `/v1/collaborators/${person.id}`, expected: [404] };
      const answer = await write(person, 'delete', request, 'deleted', { deleted: true });
      if (answer?.status !== 404) return;
      if (answer.repeated) {
        // The attempt before it was carried out.
        person.fields = { ...person.fields, deleted: true };
        counted(person, 'deleted');
      } else ledger.violation(`an acknowledged person was not found: ${person.id}`);
    },
    async restore() {
      const deleted = mine.filter(({ fields, doubt }) => fields.deleted && !doubt);
      if (deleted.length === 0) return;
      const person = random.pick(deleted);
      const path = `/v1/collaborators/${person.id}/restore`;
      await write(person, 'restore', { method: 'POST', path }, 'restored', { deleted: false });
    },
    async bulk() {
      const fresh = Array.from({ length: 3 }, newFields);
      const known = living().slice(0, 2);
      const location = `Bulk ${unique()}`;
      const items = [...fresh, ...known.map(({ fields: { email } }) => ({ email, location }))];
      const json = { mode: 'upsert', items };
      const answer = await client.send('bulk', { method: 'POST', path: '/v1/collaborators/bulk', json });
      if (!answer) {
        is_exact = false;
        for (const { email } of fresh) model.doubts.emails.push({ company_id, email });
        for (const person of known) person.doubt = { action: 'updated', fields: { ...person.fields, location } };
        return;
      }
      const { summary, results } = answer.body;
      if (summary?.succeeded !== items.length) {
        ledger.violation(`a bulk request was carried out in part: ${JSON.stringify(summary ?? answer.body)}`);
        is_exact = false;
        return;
      }
      for (const [at, fields] of fresh.entries()) {
        const rest = { phone: null, location: null, salary: null, status: 'pending', role: 'employee' };
        know({ id: results[at].id, ...fields, ...rest });
      }
      for (const person of known) {
        person.fields = { ...person.fields, location };
        counted(person, 'updated');
      }
    },
    async upload() {
      const person = someone();
      if (!person) return;
      const content = Buffer.concat([
        Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%'),
        Buffer.from(randomBytes(random.below(largest_document_bytes / 2)).toString('hex')),
        Buffer.from('\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n'),
      ]);
      const path = `/v1/collaborators/${person.id}/documents`;
      const form = formOf(content, 'contract.pdf', 'application/pdf', { type: 'contract' });
      const answer = await client.send('upload', { method: 'POST', path, form });
      if (!answer) {
        person.doubt = { action: 'document_uploaded', fields: person.fields };
        model.unsure_documents.set(person.id, (model.unsure_documents.get(person.id) ?? 0) + 1);
      } else if (answer.status === 201) {
        const sha256 = createHash('sha256').update(content).digest('hex');
        person.documents.push({ id: answer.body.id, sha256, deleted: false });
        counted(person, 'document_uploaded');
      }
    },
    async download() {
      const person = someone(({ documents }) => documents.some(({ deleted }) => !deleted));
      if (!person) return operations.upload();
      const document = random.pick(person.documents.filter(({ deleted }) => !deleted));
      const path = `/v1/collaborators/${person.id}/documents/${document.id}`;
      const answer = await client.send('document', { method: 'GET', path });
      if (answer?.status !== 200) return;
      const bytes = await client.download('download', answer.body.url);
      if (bytes && createHash('sha256').update(bytes).digest('hex') !== document.sha256) {
        ledger.violation(`document ${document.id} came with other bytes`);
      }
    },
    async deleteDocument() {
      const person = someone(({ documents }) => documents.some(({ deleted }) => !deleted));
      if (!person) return;
      const document = random.pick(person.documents.filter(({ deleted }) => !deleted));
      const path = `/v1/collaborators/${person.id}/documents/${document.id}`;
      const answer = await client.send('deleteDocument', { method: 'DELETE', path, expected: [404] });
      if (!answer) {
        person.doubt = { action: 'document_deleted', fields: person.fields };
        person.documents.splice(person.documents.indexOf(document), 1);
      } else if (answer.status < 400 || answer.repeated) {
        document.deleted = true;
        counted(person, 'document_deleted');
      } else ledger.violation(`an acknowledged document was not found: ${document.id}`);
    },
    async photo() {
      const person = someone(({ has_photo }) => !has_photo);
      if (!person || photos.length === 0) return;
      const path = `/v1/collaborators/${person.id}/photo`;
      const form = formOf(random.pick(photos), 'photo.png', 'image/png', {}, 'photo');
      // A PUT has no key: an attempt that was not answered may count as one more change.
      const answer = await client.send('photo', { method: 'PUT', path, form });
      if (!answer || answer.repeated) person.doubt = { action: 'photo_updated', fields: person.fields };
      if (answer && answer.status < 400) {
        person.has_photo = true;
        counted(person, 'photo_updated');
      }
    },
    async invite() {
      const person = someone(({ fields, invited }) => fields.status === 'pending' && !invited);
      if (!person) return;
      person.invited = true;
      const path = `/v1/collaborators/${person.id}/send-invitation`;
      const answer = await write(person, 'invite', { method: 'POST', path }, 'invited', {});
      if (answer?.status === 200) model.invited.push(person.fields.email);
    },
    async import() {
      const people = Array.from({ length: import_rows }, newFields);
      const head = ['name', 'email', 'position', 'department'] as const;
      const rows = people.map((each) => ({ ...each, department: `Import ${number}` }));
      const csv = [head.join(','), ...rows.map((row) => head.map((field) => row[field]).join(','))].join('\n');
      const filename = `people-${unique()}.csv`;
      const form = formOf(Buffer.from(csv), filename, 'text/csv', { mode: 'create' });
      const path = '/v1/collaborators/import';
      const answer = await client.send('import', { method: 'POST', path, form, expected: [409] });
      if (answer && answer.status !== 202) return; // ten are open already
      model.imports.push({ company_id, id: answer?.body.id, emails: people.map(({ email }) => email), filename });
      for (let look = 0; answer && look < 3; look++) {
        await sleep(500);
        const job = await client.send('getImport', { method: 'GET', path: `/v1/imports/${answer.body.id}` });
        if (!job || job.body.completed_at) return;
      }
    },
    async export() {
      const path = `/v1/collaborators/export/list?format=csv&department=${encodeURIComponent(department)}`;
      const answer = await client.send('export', { method: 'GET', path });
      if (answer?.status !== 200) return;
      const bytes = await client.download('downloadExport', answer.body.url);
      const people = bytes && String(bytes).trim().split('\n').length - 1;
      const wanted = mine.filter(({ fields }) => !fields.deleted).length;
      if (is_exact && people !== undefined && people !== wanted) {
        ledger.violation(`an export has ${people} of ${wanted} people`);
      }
    },
    async listPage() {
      const path = `/v1/collaborators?page=${1 + random.below(3)}&per_page=20&search=person`;
      await client.send('listPage', { method: 'GET', path });
    },
    async listCursor() {
      const found: string[] = [];
      const filter = `department=${encodeURIComponent(department)}&limit=50`;
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path: string = `/v1/collaborators?${filter}${cursor && `&cursor=${cursor}`}`;
        const answer = await client.send('listCursor', { method: 'GET', path });
        if (answer?.status !== 200) return;
        found.push(...answer.body.data.map(({ id }: { id: string }) => id));
        cursor = answer.body.pagination.nextCursor;
      }
      if (!is_exact) return;
      const wanted = mine.filter(({ fields }) => !fields.deleted).map(({ id }) => id);
      const missing = wanted.filter((id) => !found.includes(id));
      if (missing.length > 0) ledger.violation(`acknowledged people are missing in a list: ${missing.join(', ')}`);
      if (found.length > wanted.length) {
        const others = found.filter((id) => !wanted.includes(id));
        ledger.violation(`a list has people that nobody made, or that were deleted: ${others.join(', ')}`);
      }
      if (new Set(found).size < found.length) ledger.violation('a list has somebody twice');
    },
    async read() {
      const person = someone();
      if (!person) return;
      const answer = await client.send('read', { method: 'GET', path: `/v1/collaborators/${person.id}` });
      if (answer?.status !== 200) return;
      const wrong = differences(person.fields, fieldsOf(answer.body));
      if (wrong.length > 0) ledger.violation(`${person.id} was read with ${wrong.join(', ')}`);
    },
    async history() {
      const person = someone();
      if (!person) return;
      const path = `/v1/collaborators/${person.id}/history?limit=100`;
      await client.send('history', { method: 'GET', path });
    },
    async subscribe() {
      if (subscriptions >= 1 || number % 2 === 0 || receivers.all.length > most_subscriptions * 20) return;
      subscriptions++;
      const subscription = receivers.add(company_id, 'good', ['collaborator.*']);
      await subscribe(client, subscription);
    },
  };

  const drawn = weights
    .filter(([name]) => !options.without.includes(name))
    .flatMap(([name, weight]) => Array.from({ length: weight }, () => name));
  const step = async () => {
    const name = mine.length < 3 ? 'create' : random.pick(drawn);
    await operations[name]();
  };
  return {
    step,
    async run(signal) {
      while (!signal.aborted) {
        await step();
        await sleep(options.pause_ms * 2 * random.next());
      }
    },
  };
}

/** How often each operation is drawn. */
const weights = [
  ['create', 14],
  ['patch', 16],
  ['update', 8],
  ['read', 10],
  ['role', 4],
  ['activate', 4],
  ['deactivate', 3],
  ['delete', 5],
  ['restore', 4],
  ['bulk', 3],
  ['upload', 6],
  ['download', 6],
  ['deleteDocument', 2],
  ['photo', 2],
  ['invite', 4],
  ['import', 2],
  ['export', 2],
  ['listPage', 5],
  ['listCursor', 5],
  ['history', 3],
  ['subscribe', 1],
] as const satisfies [string, number][];

export type OperationName = (typeof weights)[number][0];

/** Creates a subscription at the address that was made for it. */
export async function subscribe(client: Client, subscription: Receivers['all'][number]): Promise<void> {
  const json = { url: subscription.url, events: subscription.events };
  const answer = await client.send('subscribe', { method: 'POST', path: '/v1/webhooks', json });
  if (answer?.status !== 201) return;
  subscription.id = answer.body.id;
  subscription.secret = answer.body.secret;
  subscription.since = new Date();
}

interface PersonBody {
  id: string;
  name: string;
  email: string;
  position: string;
  department: string;
  phone?: string | null;
  location?: string | null;
  salary?: number | null;
  status: string;
  role: string;
}

function fieldsOf(body: PersonBody): PersonFields {
  const { name, email, position, department, phone = null, location = null, salary = null, status, role } = body;
  return { name, email, position, department, phone, location, salary, status, role, deleted: false };
}

/** Each as `field: what it is instead of what it should be`. */
export function differences(wanted: PersonFields, found: PersonFields): string[] {
  return (Object.keys(wanted) as (keyof PersonFields)[])
    .filter((field) => wanted[field] !== found[field])
    .map((field) => `${field}: ${found[field]} instead of ${wanted[field]}`);
}

function formOf(
  content: Buffer,
  filename: string,
  type: string,
  fields: Record<string, string>,
  part = 'file',
): () => FormData {
  return () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append(part, new Blob([new Uint8Array(content)], { type }), filename);
    return form;
  };
}

/** Sends imports as clients do, and reads their results. */
import type supertest from 'supertest';
import type { components } from '../../../generated/api.ts';
import type { TestApp, TestClient } from '../app.ts';
import { eventually } from '../eventually.ts';

type ImportJob = components['schemas']['ImportJob'];
type ImportError = components['schemas']['ImportError'];

export const importsPath = '/v1/collaborators/import';

export const requiredHeaders = ['name', 'email', 'position', 'department'];

/** Encodes rows as CSV, quoted where needed. */
export function csv(rows: readonly (readonly (string | number | null)[])[], delimiter = ','): Buffer {
  const cell = (value: string | number | null) => {
    const text = String(value ?? '');
    return /[",\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return Buffer.from(rows.map((row) => `${row.map(cell).join(delimiter)}\n`).join(''));
}

export function people(serials: readonly number[]): Buffer {
  const rows = serials.map((serial) => [`Person ${serial}`, `person${serial}@example.com`, 'Planner', 'Operations']);
  return csv([requiredHeaders, ...rows]);
}

export function range(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, at) => from + at);
}

export interface ImportParts {
  file?: Buffer;
  filename?: string;
  /** Other form parts; objects are sent as JSON. */
  [part: string]: unknown;
}

export function sendImport(client: TestClient, { file, filename, ...parts }: ImportParts): supertest.Test {
  return withImport(client.post(importsPath), { file, filename, ...parts } as ImportParts);
}

export function withImport(request: supertest.Test, parts: ImportParts = {}): supertest.Test {
  const { file = people([1]), filename = 'people.csv', ...fields } = parts;
  request.attach('file', file, { filename });
  for (const [name, value] of Object.entries(fields)) {
    request.field(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return request;
}

export async function startImport(client: TestClient, parts: ImportParts): Promise<string> {
  return (await sendImport(client, parts).expect(202)).body.id;
}

const final = ['needs_answers', 'completed', 'completed_with_errors', 'failed', 'cancelled'];

/** Waits until the import ends or needs answers, which takes a running worker. */
export async function waitForImport(client: TestClient, id: string): Promise<ImportJob> {
  let job: ImportJob | undefined;
  await eventually(async () => {
    job = (await client.get(`/v1/imports/${id}`).expect(200)).body;
    expect(final).toContain(job!.status);
  });
  return job!;
}

export async function runImport(client: TestClient, parts: ImportParts): Promise<ImportJob> {
  return waitForImport(client, await startImport(client, parts));
}

export async function errorsOf(client: TestClient, id: string): Promise<ImportError[]> {
  const errors: ImportError[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? 'limit=100' : `limit=100&cursor=${cursor}`;
    const { body } = await client.get(`/v1/imports/${id}/errors?${query}`).expect(200);
    errors.push(...body.data);
    cursor = body.pagination.nextCursor;
  }
  return errors;
}

/** Summarizes errors as location and code. */
export function summarizeErrors(errors: readonly ImportError[]): string[] {
  return errors.map(({ row, column, field, code }) => `${column ?? '-'}${row} ${field ?? '-'} ${code}`);
}

/** Checks that people, history, events, and counts of a company agree. */
export async function expectConsistent({ database, company_id: companyId }: TestApp): Promise<void> {
  const [found] = await database.query<Record<string, number>>(
    `select
       (select count(*)::int from collaborators where company_id = $1 and deleted_at is null) as people,
       (select coalesce(sum(active + inactive + pending), 0)::int from collaborator_counts where company_id = $1) as counted,
       (select count(*)::int from collaborators c where company_id = $1 and deleted_at is null and 1 <> (
         select count(*) from collaborator_history h
         where h.company_id = $1 and h.collaborator_id = c.id and h.action = 'created')) as without_history,
       (select count(*)::int from collaborators where company_id = $1) as all_people,
       (select count(distinct payload::json ->> 'id')::int from events
         where company_id = $1 and name = 'collaborator.created') as with_event,
       (select count(*)::int from events where company_id = $1 and name = 'collaborator.created') as events`,
    [companyId],
  );
  expect(found).toMatchObject({
    counted: found!.people,
    without_history: 0,
    with_event: found!.all_people,
    events: found!.all_people,
  });
}

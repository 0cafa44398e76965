/** Chapter: import a workbook, fix its errors, and export people again. */
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cell, CellKind } from '../../src/platform/sheets/model/types.ts';
import { writeWorkbook } from '../../src/platform/sheets/xlsx/write-xlsx.ts';
import { accounts } from '../run/demo/demo-company.ts';
import { expect, type Step, type Trip } from './story.ts';

const timeoutMs = 30_000;

/** State shared by this chapter's steps. */
const state = { headers: [] as string[] };

export const sheets: Step[] = [
  {
    title: 'She fetches the template: a workbook that offers the departments which the company has',
    async run(trip) {
      const path = '/v1/collaborators/import-template';
      const { body } = await trip.request('GET', path, { ...admin(trip), status: 200 });
      state.headers = body.columns.map(({ header }: { header: string }) => header);
      trip.print(`  ${body.filename}, version ${body.version}: ${state.headers.join(', ')}`);
    },
  },
  {
    title: 'She has a workbook with three bad rows checked: nothing is written, every error has its place',
    async run(trip) {
      const { id, status, counts } = await importRows(trip, people(trip, false), { dry_run: 'true' });
      expect('the status', status, 'completed_with_errors');
      expect('what would be created, and is faulty', [counts.created, counts.failed], [2, 3]);
      const { body } = await trip.request('GET', `/v1/imports/${id}/errors`, { ...admin(trip), status: 200 });
      for (const { row, column, field, message } of body.data) {
        trip.print(`  row ${row}, column ${column}, ${field}: ${message}`);
      }
      const cells = body.data.map(({ row, column }: { row: number; column: string }) => `${column}${row}`);
      expect('where the errors are', cells, ['B3', 'H4', 'C5']);
    },
  },
  {
    title: 'She fixes the three rows, has the file checked again, and carries the dry run out',
    async run(trip) {
      const { id, status } = await importRows(trip, people(trip, true), { dry_run: 'true' });
      expect('the status of the dry run', status, 'completed');
      await trip.request('POST', `/v1/imports/${id}/commit`, { ...admin(trip), status: 202 });
      const { counts } = await waitForJob(trip, `/v1/imports/${id}`);
      expect('how many were created', counts.created, 5);
      const path = `/v1/collaborators?search=sheet-${trip.run_id}&sort=name`;
      const { body } = await trip.request('GET', path, { ...admin(trip), status: 200 });
      for (const { name, hire_date: hireDate, salary } of body.data)
        trip.print(`  ${name}, hired ${hireDate}, salary ${salary}`);
      const [beto, ana] = [body.data[1], body.data[0]];
      expect('who reports to whom, from further down in the file', beto.manager_id, ana.id);
    },
  },
  {
    title: 'She exports them again, as a workbook',
    async run(trip) {
      const path = `/v1/collaborators/export/list?search=sheet-${trip.run_id}&sort=name`;
      const { body } = await trip.request('GET', path, { ...admin(trip), status: 200 });
      expect('the status, and how many there are', [body.status, body.row_count], ['completed', 5]);
      const file = await fetch(body.url, { signal: AbortSignal.timeout(10_000) });
      expect('the status of the link', file.status, 200);
      expect('the size of the file', (await file.arrayBuffer()).byteLength, body.size);
      trip.print(`  ${body.filename}: ${body.row_count} people, ${body.size} bytes`);
    },
  },
];

/** Rows in the template's columns. Rows 3, 4, and 5 have an error to fix. */
function people({ run_id: runId }: Trip, isCorrected: boolean): Record<string, Cell>[] {
  const email = (localPart: string) => `${localPart}.sheet-${runId}@verdelog.example`;
  const person = (Name: string, localPart: string, overrides: Record<string, Cell>) => ({
    Name,
    Email: email(localPart),
    Position: 'Driver',
    Department: 'Fleet',
    'Hire date': '2026-03-02',
    Salary: 42_000.5,
    'Manager email': accounts.manager,
    ...overrides,
  });
  return [
    person('Beto Folha', 'beto', { 'Manager email': email('ana') }),
    person('Carla Linha', 'carla', isCorrected ? {} : { Email: 'carla at verdelog' }),
    person('Dino Coluna', 'dino', isCorrected ? {} : { 'Manager email': 'nobody@verdelog.example' }),
    person('Elsa Campo', 'elsa', isCorrected ? {} : { Position: null }),
    person('Ana Planilha', 'ana', {}),
  ];
}

async function importRows(trip: Trip, rows: Record<string, Cell>[], fields: Record<string, string>) {
  const kinds: Record<string, CellKind> = { 'Hire date': 'date', Salary: 'money' };
  const columns = state.headers.map((header) => ({ header, kind: kinds[header] ?? ('text' as const) }));
  const groups = [rows.map((row) => state.headers.map((header) => row[header] ?? null))];
  const file = await buffer(writeWorkbook([{ name: 'Collaborators', columns, groups }], { title: 'New people' }));
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file)]), 'new-people.xlsx');
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const { body } = await trip.request('POST', '/v1/collaborators/import', { ...admin(trip), form, status: 202 });
  return waitForJob(trip, `/v1/imports/${body.id}`);
}

/** Polls silently until the job has finished. */
// biome-ignore lint/suspicious/noExplicitAny: each step knows the shape of its response.
async function waitForJob(trip: Trip, path: string): Promise<any> {
  const headers = { authorization: `Bearer ${trip.tokens.admin}`, 'x-company-id': trip.company_id };
  for (const deadline = performance.now() + timeoutMs; performance.now() < deadline; await sleep(100)) {
    const job = (await (await fetch(new URL(path, `${trip.base_url}/`), { headers })).json()) as { status: string };
    if (!/^(queued|validating|processing)$/.test(job.status)) return job;
  }
  throw new Error(`${path} did not end within ${timeoutMs / 1000} s`);
}

function admin({ tokens, company_id: companyId }: Trip) {
  return { token: tokens.admin, company_id: companyId };
}

/** Exports as whoever asked for them fetches and opens them: with libraries that the service does not write with. */
import { parse } from 'csv-parse/sync';
import * as XLSX from 'xlsx';
import type { TestApp, TestClient } from './app.ts';

export const exportPaths = {
  list: '/v1/collaborators/export/list',
  individual: '/v1/collaborators/export/individual',
  group: '/v1/collaborators/export-excel/group',
};

/** Fetches a file by its link, as a browser would: without a token. */
export async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** The file of an export that is ready in the answer. */
export async function exported(client: TestClient, kind: 'list' | 'individual', query: object): Promise<Buffer> {
  const { body } = await client.get(exportPaths[kind]).query(query).expect(200);
  return download(body.url);
}

/** Cells as they stand there, row by row; nothing for empty ones. */
type Table = (string | number | boolean | undefined)[][];

/** The sheets of a workbook, by name, in their order. */
export function sheetsOf(bytes: Buffer): Record<string, Table> {
  const book = XLSX.read(bytes, { cellDates: false });
  return Object.fromEntries(
    book.SheetNames.map((name) => [name, XLSX.utils.sheet_to_json(book.Sheets[name]!, { header: 1, raw: true })]),
  );
}

export function csvOf(bytes: Buffer): string[][] {
  return parse(bytes, { bom: true });
}

/** One column of a table, without its header. */
export function column(table: readonly (readonly unknown[])[], header: string): unknown[] {
  const [headers, ...rows] = table;
  const at = headers!.indexOf(header);
  if (at < 0) throw new Error(`no column ${header} in ${headers!.join(', ')}`);
  return rows.map((row) => row[at]);
}

/** People of the company, written past the service, in a moment. They report to the admin. */
export async function addPeople(
  app: Pick<TestApp, 'database' | 'company_id'>,
  count: number,
  companyId = app.company_id,
): Promise<void> {
  await app.database.query(
    `insert into collaborators (company_id, id, name, email, position, department, location, hire_date, salary, phone)
     select $1, gen_random_uuid(), 'Person ' || n, 'person' || n || '@example.com', 'Grade ' || n % 40,
       'Department ' || n % 10, 'Site ' || n % 200, date '2015-01-01' + n % 4000, 30000 + n % 50000, '+55 11 9' || n
     from generate_series(1, $2::int) n`,
    [companyId, count],
  );
  await app.database.query('analyze collaborators');
}

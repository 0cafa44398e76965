/** Downloads and parses exports, with different libraries than the service writes them with. */
import { parse } from 'csv-parse/sync';
import * as XLSX from 'xlsx';
import type { TestApp, TestClient } from '../app.ts';

export const exportPaths = {
  list: '/v1/collaborators/export/list',
  individual: '/v1/collaborators/export/individual',
  group: '/v1/collaborators/export-excel/group',
};

/** Downloads a file by its link without a token, as a browser does. */
export async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** The file of an export whose response already has the link. */
export async function runExport(client: TestClient, kind: 'list' | 'individual', query: object): Promise<Buffer> {
  const { body } = await client.get(exportPaths[kind]).query(query).expect(200);
  return download(body.url);
}

/** Raw cells by row; empty ones are undefined. */
type Table = (string | number | boolean | undefined)[][];

export function sheetsOf(bytes: Buffer): Record<string, Table> {
  const book = XLSX.read(bytes, { cellDates: false });
  return Object.fromEntries(
    book.SheetNames.map((name) => [name, XLSX.utils.sheet_to_json(book.Sheets[name]!, { header: 1, raw: true })]),
  );
}

export function csvOf(bytes: Buffer): string[][] {
  return parse(bytes, { bom: true });
}

export function column(table: readonly (readonly unknown[])[], header: string): unknown[] {
  const [headers, ...rows] = table;
  const at = headers!.indexOf(header);
  if (at < 0) throw new Error(`no column ${header} in ${headers!.join(', ')}`);
  return rows.map((row) => row[at]);
}

/** Inserts people straight into the database, which is fast. They report to the admin. */
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

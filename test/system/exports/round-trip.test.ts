/** Exports read back by the import and by third-party libraries give the same people, whatever the fields contain. */
import { randomUUID } from 'node:crypto';
import { oneLine } from '../../../src/contract/texts/one-line.ts';
import { fieldValue } from '../../../src/platform/sheets/cells/cell-values.ts';
import { matchHeaders } from '../../../src/platform/sheets/headers/headers.ts';
import { restore } from '../../../src/platform/sheets/model/formula-escape.ts';
import type { Cell } from '../../../src/platform/sheets/model/types.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { columnHeaders } from '../../../src/product/collaborators/column-headers.ts';
import { importColumns } from '../../../src/product/collaborators/fields/sheet-columns.ts';
import { allFields } from '../../../src/product/imports/rows/columns/import-fields.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import fc from '../../helpers/property.ts';
import { csvOf, runExport, sheetsOf } from '../../helpers/resources/exports.ts';
import { readAll } from '../../platform/sheets/workbooks.ts';

let app: TestApp;
const reader = new SheetReader(1);
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  await reader.close();
  await app.close();
});

/** Texts that databases accept and spreadsheet programs tend to change. */
const hostile = [
  '=1+1', '+1', '-1', '@SUM(A1)', "'", "''", "'=1", "''=1", '\t=1', '\n=1', '\r\n-1', ' =1', '\u00a0=1', '\u200b=1', '＝1', '-',
  '007', '0', '+55 11 91234-5678', '00491701234567', '1e5', '1,5', 'TRUE', 'NULL', '#N/A', '2026-03-02', '12:30', 'a"b', '""', 'a,b', 'a;b',
  'a\tb', 'a\nb', 'a\r\nb', 'a\rb', 'line 1\r\n\r\nline 3', ' a ', '_x000D_', '_x0041_x', '<b>&amp;</b>', ']]>', '\ufeffa', 'sep=;',
  '=cmd|\' /C calc\'!A0', '日本語', 'مرحبا', '👩‍💻', '🏳️‍🌈'.repeat(20), '\u0001', '\u001f', '\u007f', '\u0085', '\u2028', '\ufffe', 'ﬁ', 'é', 'é', 'x'.repeat(200),
]; // biome-ignore format: a list
const text = fc
  .oneof(
    fc.constantFrom(...hostile),
    fc.tuple(fc.constantFrom(...hostile), fc.constantFrom(...hostile)).map((pair) => pair.join('').slice(0, 200)),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((string) => string.replaceAll('\0', '') || 'x'),
  )
  .map((string) => string.toWellFormed());
const optional = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
const date = fc
  .date({ min: new Date('1850-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));
const person = fc.record({
  name: text,
  position: text,
  department: text,
  phone: optional(text),
  work_schedule: optional(text),
  location: optional(text),
  hire_date: optional(date),
  termination_date: optional(date),
  salary: optional(fc.integer({ min: 0, max: 99_999_999_999_999 }).map((cents) => cents / 100)),
  emergency_contact: optional(fc.record({ name: optional(text), phone: optional(text), relationship: optional(text) })),
});
type Person = typeof person extends fc.Arbitrary<infer P> ? P : never;

/** Replaces the manager's reports directly in the database, including values of older validation rules. */
async function store(people: Person[]): Promise<void> {
  await app.database.query("delete from collaborators where position('nasty' in email) = 1");
  const rows = people.map((each, n) => ({
    company_id: app.company_id,
    id: randomUUID(),
    email: `nasty${n}@example.com`,
    manager_id: app.manager.collaborator_id,
    ...each,
    ...idsOf(each, n),
  }));
  await app.database.query(
    `insert into collaborators (company_id, id, email, manager_id, name, position, department, phone, work_schedule,
       location, external_id, employee_number, hire_date, termination_date, salary,
       emergency_contact)
     select company_id, id, email, manager_id, name, position, department, phone, work_schedule, location, external_id,
       employee_number, hire_date, termination_date, salary, emergency_contact
     from json_populate_recordset(null::collaborators, $1)`,
    [JSON.stringify(rows)],
  );
}

/** Distinct ids for each of them. */
function idsOf({ location }: Person, n: number) {
  return { external_id: location && `${location}|${n}`, employee_number: `00${n}` };
}

function fieldsOf(each: Person, n: number): Record<string, Cell> {
  const { emergency_contact: emergencyContact, ...rest } = each;
  const { name = null, phone = null, relationship = null } = emergencyContact ?? {};
  return {
    ...rest,
    ...idsOf(each, n),
    email: `nasty${n}@example.com`,
    manager_id: app.manager.collaborator_id,
    manager_email: 'rui.almeida@example.com',
    'emergency_contact.name': name,
    'emergency_contact.phone': phone,
    'emergency_contact.relationship': relationship,
  };
}

/** The import normalizes texts. */
function inForm(fields: Record<string, Cell>): Record<string, Cell> {
  const formed = (value: Cell) => (typeof value === 'string' ? oneLine(value) || null : value);
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, formed(value)]));
}

/** The file of these people, and of the manager's original report. */
const fileOf = (format: 'xlsx' | 'csv') =>
  runExport(app.admin, 'list', { manager_id: app.manager.collaborator_id, sort: 'email', format });
const numberOf = (fields: Record<string, unknown>) => Number(/\d+/.exec(String(fields.email)));
const byNumber = (a: Record<string, unknown>, b: Record<string, unknown>) => numberOf(a) - numberOf(b);

describe.each(['xlsx', 'csv'] as const)('%s', (format) => {
  test('reads back the same people by import', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 30 }), async (people) => {
        await store(people);
        const bytes = await fileOf(format);
        const [header, ...rows] = (await readAll(reader, bytes)).rows;
        expect(rows.every(({ problems }) => problems === undefined)).toBe(true);
        const { columns } = matchHeaders(header!.cells, allFields);
        const read = rows.map(({ cells }) =>
          Object.fromEntries(
            importColumns.map(({ key, kind }) => [key, fieldValue(cells[columns.get(key)!] ?? null, kind)]),
          ),
        );
        const expected = people.map((each, n) => inForm(fieldsOf(each, n)));
        const hostileRows = read.filter(({ email }) => String(email).startsWith('nasty')).toSorted(byNumber);
        expect(hostileRows).toEqual(expected);
      }),
      { numRuns: 3 },
    );
  });

  test('reads back the same people by another library, without the escape apostrophes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: 1, maxLength: 30 }), async (people) => {
        await store(people);
        const bytes = await fileOf(format);
        const table = format === 'csv' ? csvOf(bytes) : sheetsOf(bytes).Collaborators!;
        const [header, ...rows] = table as Cell[][];
        const read = rows.map((cells) => Object.fromEntries(header!.map((name, at) => [name, cells[at] ?? ''])));
        const names = importColumns.filter(({ kind }) => kind === 'text');
        const expected = people.map((each, n) => {
          const fields = fieldsOf(each, n);
          return Object.fromEntries(
            names.map(({ key }) => [columnHeaders[key].translate('en'), displayed(fields[key] ?? '', format)]),
          );
        });
        const hostileRows = read.filter(({ Email }) => String(Email).startsWith('nasty'));
        const exportedRows = hostileRows.map((row) =>
          Object.fromEntries(
            names.map(({ key }) => {
              const header = columnHeaders[key].translate('en');
              return [header, displayed(restore(String(row[header])), format)];
            }),
          ),
        );
        expect(exportedRows.toSorted((a, b) => numberOf({ email: a.Email }) - numberOf({ email: b.Email }))).toEqual(
          expected,
        );
      }),
      { numRuns: 3 },
    );
  });
});

/** The library normalizes line endings. */
function displayed(value: Cell, format: 'xlsx' | 'csv'): string {
  return format === 'xlsx' ? String(value).replace(/\r\n?/g, '\n') : String(value);
}

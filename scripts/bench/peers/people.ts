// Test data of the sheet benchmarks: people with 15 columns, as in an export of a list.

import type { SheetColumn } from '../../../src/platform/sheets/model/sheet.ts';
import type { Cell } from '../../../src/platform/sheets/model/types.ts';
import { columnHeaders } from '../../../src/product/collaborators/column-headers.ts';
import { importColumns, readOnlyColumns } from '../../../src/product/collaborators/fields/sheet-columns.ts';

/** Typical columns of a personnel file, with managers by email, and two that only exports have and imports ignore. */
const keys = `name email position department phone hire_date salary manager_email work_schedule location
  emergency_contact.name emergency_contact.phone emergency_contact.relationship status created_at`.split(/\s+/);
const known = [...importColumns, ...readOnlyColumns];
const fields = keys.map((key) => known.find((column) => column.key === key)!);
export const columns: SheetColumn[] = fields.map(({ key, kind }) => ({
  header: columnHeaders[key].translate('en'),
  kind,
}));

/** The first people are the managers of the others. */
const managers = 100;
const rowsAtOnce = 1_000;

const first = 'Ana João Maria Rui Inês Tomás Clara Nuno Rita Paulo Sofia Miguel Beatriz Diogo Marta Pedro'.split(' ');
const last = 'Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Jesus Sousa Gomes Lopes'.split(' ');
const departments = 'Fleet Finance Operations Sales Support People Legal Quality Research Warehouse'.split(' ');

/** In column order. A csv file with 100,000 rows stays below the import limit of 20 MB. */
function person(n: number): Cell[] {
  const day = new Date(Date.UTC(2015, 0, 1 + (n % 4_000))).toISOString().slice(0, 10);
  return [
    `${first[n % first.length]} ${last[(n >> 4) % last.length]} ${n.toString(36)}`,
    email(n),
    `Grade ${n % 40}`,
    departments[n % departments.length]!,
    `+55 11 9${String(n).padStart(7, '0')}`,
    day,
    30_000 + (n % 50_000) + (n % 4) / 4,
    n < managers ? null : email(n % managers),
    'Full-time',
    `Site ${n % 200}`,
    `${first[(n >> 3) % first.length]} ${last[n % last.length]}`,
    `+55 11 8${String(n).padStart(7, '0')}`,
    'Spouse',
    'pending',
    `${day}T08:30:00.000Z`,
  ];
}

function email(n: number): string {
  return `p${n}@bench.example`;
}

/** In batches, like a database cursor. */
export function people(count: number): Generator<Cell[][]> {
  return grouped(count, person);
}

/** All columns of an export, more than the import had. */
export const exportedColumns: SheetColumn[] = [...importColumns, ...readOnlyColumns].map(({ key, kind }) => {
  return { header: columnHeaders[key].translate('en'), kind };
});

/** The same people as exported. @param ids one per person, as in the database */
export function exportedPeople(ids: readonly string[]): Generator<Cell[][]> {
  return grouped(ids.length, (n) => {
    const values = person(n);
    const [managerId, managerName] = n < managers ? [null, null] : [ids[n % managers]!, first[n % first.length]!];
    const others: Record<string, Cell> = {
      id: ids[n]!,
      role: 'employee',
      manager_id: managerId,
      manager_name: managerName,
    };
    others.updated_at = values[keys.indexOf('created_at')]!;
    return [...importColumns, ...readOnlyColumns].map(({ key }) => values[keys.indexOf(key)] ?? others[key] ?? null);
  });
}

function* grouped(count: number, rowOf: (n: number) => Cell[]): Generator<Cell[][]> {
  for (let n = 0; n < count; n += rowsAtOnce) {
    yield Array.from({ length: Math.min(rowsAtOnce, count - n) }, (_, at) => rowOf(n + at));
  }
}

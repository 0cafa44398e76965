/** The first values of each column and the first people as interpreted, to check before committing. */
import { columnLetter } from '../../../../platform/sheets/model/letters.ts';
import type { Cell, Row } from '../../../../platform/sheets/model/types.ts';
import type { Preview } from '../../state/stored-preview.ts';
import type { PeopleTable } from './people-table.ts';
import { fieldsOf } from './row-fields.ts';

const maxSamples = 3;
const maxPeople = 5;
const maxValue = 200;

export function previewOf(table: PeopleTable): Preview {
  const samples = table.header.flatMap((cell, column) => {
    return cell === null ? [] : [[columnLetter(column), firstValues(table.rows, column)] as const];
  });
  const people = table.rows.slice(0, maxPeople).map((row) => ({ row: row.row, values: valuesOf(table, row) }));
  return { samples: Object.fromEntries(samples), people };
}

export function firstValues(rows: readonly Row[], column: number): string[] {
  const values: string[] = [];
  for (const { cells } of rows) {
    const cell = cells[column] ?? null;
    if (cell !== null && values.push(excerpt(cell)) === maxSamples) break;
  }
  return values;
}

function valuesOf(table: PeopleTable, row: Row): Record<string, string> {
  const { fields, manager, has_left: hasLeft } = fieldsOf(table, row, false);
  const { emergency_contact: contact, custom_fields: custom, ...others } = fields;
  const all: Record<string, unknown> = { ...others, manager: manager?.value, ...(hasLeft && { status: 'inactive' }) };
  for (const [name, value] of Object.entries(contact ?? {})) all[`emergency_contact.${name}`] = value;
  for (const [key, value] of Object.entries(custom ?? {})) all[`custom_fields.${key}`] = value;
  const present = Object.entries(all).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, excerpt(value as Cell)]));
}

function excerpt(value: Cell): string {
  return String(value).replaceAll('\0', '').slice(0, maxValue).toWellFormed();
}

/** Test people to fill in, and the check that they arrived. */
import { deepStrictEqual } from 'node:assert';
import { accounts } from '../../run/demo/demo-company.ts';
import type { Filling } from './tool.ts';

export interface Column {
  key: string;
  header: string;
}

interface Person {
  name: string;
  email: string;
  position: string;
  department: string;
  phone: string;
  hire_date: string;
  salary: number;
  manager_email: string;
  employee_number: string;
  location: string;
}

/** Below the headers and the example. */
const firstRow = 2;

/** @param label makes email addresses unique within the company */
export function peopleOf(label: string): Person[] {
  const head = `head.${label}@verdelog.example`;
  const person = (name: string, email: string, more: Partial<Person>): Person => ({
    name,
    email,
    position: 'Motorista de caminhão',
    department: 'Logística & Frota',
    phone: '+55 11 91234-5678',
    hire_date: '2024-02-29',
    salary: 68_400.5,
    manager_email: accounts.manager,
    employee_number: `00-${email.split('@')[0]}`,
    location: 'São Paulo',
    ...more,
  });
  return [
    person('João Conceição', `joao.${label}@verdelog.example`, { manager_email: head }),
    person('Zoë O’Neill', head, { hire_date: '2026-12-01', salary: 0, phone: '0041 44 668 18 00' }),
  ];
}

export function fillingOf(people: readonly Person[], columns: readonly Column[], form: 'json' | 'lines'): string {
  const cells = people.flatMap((person, row) =>
    columns.flatMap(({ key }, column): Filling[] => {
      const value = person[key as keyof Person];
      if (value === undefined) return [];
      const kind = key === 'hire_date' ? 'date' : typeof value === 'number' ? 'number' : 'text';
      return [{ row: firstRow + row, column, kind, value }];
    }),
  );
  if (form === 'json') return JSON.stringify(cells);
  return cells.map(({ row, column, kind, value }) => `${[row, column, kind, value].join('\t')}\n`).join('');
}

/** @param found from the API, with `manager` expanded @throws when a person differs */
export function checkPeople(
  label: string,
  expected: readonly Person[],
  found: readonly Record<string, unknown>[],
): void {
  const returned = found.map(({ manager, salary, ...person }) => {
    const managerEmail = (manager as { email: string } | null)?.email;
    return { ...person, salary: Number(salary), manager_email: managerEmail };
  });
  for (const person of expected) {
    const arrived = returned.find((each) => (each as { email?: unknown }).email === person.email) as
      | Record<string, unknown>
      | undefined;
    const same = Object.fromEntries(Object.keys(person).map((key) => [key, arrived?.[key]]));
    deepStrictEqual(same, { ...person }, `${label}: ${person.name} has not arrived as they were filled in`);
  }
}

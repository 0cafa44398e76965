/** Compares the write access of the console's person form with the contract. */
import { readFileSync } from 'node:fs';
import {
  documentTypes,
  fieldNames,
  longest,
  mayWrite,
  type Relation,
  requiredFields,
} from '../src/screens/people/fields.ts';

interface Property {
  maxLength?: number;
  readOnly?: boolean;
  allOf?: unknown;
  'x-clearable'?: boolean;
  'x-write-access'?: Record<'admin' | 'manager' | 'employee', 'all' | 'team' | 'self' | 'none'>;
}
const contract = JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));
const update = contract.components.schemas.CollaboratorUpdate.properties as Record<string, Property>;

/** By the reader's relation: their role, and whether the record is their own. */
const relations: [Relation, 'admin' | 'manager' | 'employee', boolean][] = [
  ['admin', 'admin', false],
  ['manager', 'manager', false],
  ['manager-self', 'manager', true],
  ['self', 'employee', true],
];

test.each(relations)('%s', (relation, role, isSelf) => {
  const may = Object.entries(update).filter(([name, { 'x-write-access': access }]) => {
    // On their own record, managers have the rights of employees.
    const reach = access?.[role === 'manager' && isSelf ? 'employee' : role];
    return name !== 'status' && (reach === 'all' || reach === 'team' || (reach === 'self' && isSelf));
  });
  expect(fieldNames.filter((field) => mayWrite(field, relation)).sort()).toEqual(may.map(([name]) => name).sort());
});

test('nobody else writes anything', () => {
  expect(fieldNames.filter((field) => mayWrite(field, 'none'))).toEqual([]);
});

test('texts are as long as the contract takes them, and those that cannot be cleared are asked for', () => {
  for (const [name, length] of Object.entries(longest)) expect([name, length]).toEqual([name, update[name]!.maxLength]);
  expect([...requiredFields].sort()).toEqual(
    fieldNames.filter((name) => update[name]!['x-clearable'] === false).sort(),
  );
});

test('of the team, a manager chooses among the types of documents that they see', () => {
  const { enum: types, 'x-value-access': access } = contract.components.schemas.DocumentType;
  const seen = (types as string[]).filter((type) => (access[type]?.manager ?? 'team') === 'team');
  expect(documentTypes('manager').sort()).toEqual(seen.sort());
  for (const relation of ['admin', 'manager-self', 'self'] as const) {
    expect(documentTypes(relation).sort()).toEqual([...types].sort());
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { contract, type Schema } from '../../src/contract/contract.ts';
import { completed, missingValue, storedSchemas, upgradeStored } from '../../src/contract/stored.ts';

const released = new URL('../../openapi/released/', import.meta.url);

/** Required properties of a schema that neither its older form nor a default provides. */
function unexplained(now: Schema, then: Schema | undefined): string[] {
  const older = (then?.required ?? []) as string[];
  const added = ((now.required ?? []) as string[]).filter((name) => !older.includes(name));
  return added.filter((name) => missingValue(now.properties![name]!) === undefined);
}

test('fills properties missing in stored data with their default or null, at any depth', () => {
  const schema: Schema = {
    type: 'object',
    required: ['kept', 'preset', 'nullable', 'either', 'items'],
    properties: {
      kept: { type: 'string' },
      preset: { type: 'array', default: [] },
      nullable: { type: ['string', 'null'] },
      either: { anyOf: [{ type: 'object' }, { type: 'null' }] } as unknown as Schema,
      optional: { type: 'string' },
      items: { type: 'array', items: { $ref: '#/components/schemas/ImportColumn' } },
    },
  };
  const stored = { kept: 'as it is', unknown: 1, items: [{ column: 'A', guessed: true }, { date_order: 'dmy' }] };
  expect(completed(schema, stored)).toEqual({
    ...{ kept: 'as it is', unknown: 1, preset: [], nullable: null, either: null },
    items: [
      { column: 'A', guessed: true, field: null, date_order: null, samples: [], suggested_field: null },
      { field: null, date_order: 'dmy', samples: [], suggested_field: null },
    ],
  });
  expect(stored).not.toHaveProperty('preset');
});

test('keeps current data unchanged', () => {
  const column = {
    column: 'F',
    header: 'Start',
    field: 'hire_date',
    guessed: false,
    date_order: null,
    samples: ['x'],
    suggested_field: null,
  };
  expect(upgradeStored('ImportColumn', column)).toEqual(column);
});

test('a property added to a stored schema needs a default or null', () => {
  const then: Schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
  const now: Schema = { ...then, required: ['a', 'b'], properties: { ...then.properties, b: { type: 'string' } } };
  expect(unexplained(now, then)).toEqual(['b']);
  expect(unexplained({ ...now, properties: { b: { type: 'string', default: '' } } }, then)).toEqual([]);
});

test.each(readdirSync(released))('no stored schema has gained such a property since %s', (file) => {
  const then = JSON.parse(readFileSync(new URL(file, released), 'utf8')).components.schemas;
  for (const name of storedSchemas) {
    expect({ name, added: unexplained(contract.components.schemas[name]!, then[name]) }).toEqual({ name, added: [] });
  }
});

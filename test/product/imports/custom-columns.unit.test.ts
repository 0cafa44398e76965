/** Columns of custom fields: how their headers and cells are read. */
import { csv, requiredHeaders } from '../../helpers/resources/imports.ts';
import { customFields, fileReader, type ReadFile } from './file-reader.ts';

const read = fileReader();

const file = (headers: readonly string[], ...rows: readonly (readonly string[])[]) => {
  const person = (at: number) => [`Person ${at}`, `own${at}@verde.example`, 'Planner', 'Own'];
  return csv([[...requiredHeaders, ...headers], ...rows.map((values, at) => [...person(at), ...values])]);
};
const valuesOf = ({ people }: ReadFile) => people.map(({ fields }) => fields.custom_fields);

describe('a column of a custom field', () => {
  test('is that of its mapping, whatever its header', async () => {
    const fields = customFields({ key: 'size', type: 'number' }, { key: 'badge', type: 'text' });
    const mapping = { 'Shoe no.': 'custom_fields.size', Phone: 'custom_fields.badge' };
    const found = await read(file(['Shoe no.', 'Phone'], ['43', 'B7']), { fields, mapping });
    expect(found.table.columns.slice(4).map(({ field }) => field)).toEqual(Object.values(mapping));
    expect(valuesOf(found)).toEqual([{ size: 43, badge: 'B7' }]);
    expect(found.preview[0]).toMatchObject({ 'custom_fields.size': '43' });
    expect(found.preview[0]).not.toHaveProperty('custom_fields');
  });

  test('reads dates in the order that all of its dates fit, reports it, and asks if several do', async () => {
    const fields = customFields({ key: 'born', type: 'date' });
    const fitting = await read(file(['born'], ['03/02/1984'], ['29/02/1984']), { fields });
    expect(fitting.table.columns[4]).toMatchObject({ field: 'custom_fields.born', date_order: 'dmy' });
    expect(fitting.warnings).toEqual([expect.objectContaining({ code: 'date_order', column: 'E' })]);
    expect(valuesOf(fitting)).toEqual([{ born: '1984-02-03' }, { born: '1984-02-29' }]);
    expect((await read(file(['born'], ['03/02/1984']), { fields })).questions).toMatchObject([{ id: 'date_order' }]);
    const times = await read(file(['born'], ['3 Feb 1984'], ['1984-02-03 08:30'], ['soon'], ['1983-02-29']), {
      fields,
    });
    expect(valuesOf(times)[0]).toEqual({ born: '1984-02-03' });
    expect(times.errors).toEqual([3, 4, 5].map((row) => `E${row} custom_fields.born invalid_format`));
    const noDate = 'Must be a date, such as 2026-03-02.';
    expect(times.messages).toEqual(['Must be a date without a time.', noDate, noDate]);
  });

  test('reads numbers of any country, with currencies and percentages, and asks about ambiguous ones', async () => {
    const fields = customFields({ key: 'rate', type: 'number' });
    const texts = ['R$ 1.234,56', '12,5 %', '3.500', '0,125'];
    const found = await read(file(['rate'], ...texts.map((text) => [text])), { fields });
    expect(found.warnings.map(({ code }) => code)).toEqual(['decimal', 'currency']);
    expect(valuesOf(found)).toEqual([1234.56, 0.125, 3500, 0.125].map((rate) => ({ rate })));
    const ambiguous = file(['rate'], ['3.500']);
    expect((await read(ambiguous, { fields })).questions).toMatchObject([{ id: 'decimal' }]);
    expect(valuesOf(await read(ambiguous, { fields, decimal: 'point' }))).toEqual([{ rate: 3.5 }]);
  });

  test.each([
    [true, ['yes', 'Sim', 'Sí', 'Ja', 'Oui', 'VERDADEIRO', 'VERDADERO', 'WAHR', 'VRAI', 'x']],
    [false, ['no', 'Não', 'nein', 'Non', 'FALSO', 'FALSCH', 'FAUX']],
  ])('reads %s as people and spreadsheets write it in five languages', async (car, texts) => {
    const fields = customFields({ key: 'car', type: 'boolean' });
    const found = await read(file(['car'], ...texts.map((text) => [text])), { fields });
    expect([found.errors, valuesOf(found)]).toEqual([[], texts.map(() => ({ car }))]);
  });

  test.each([[['rate', 'salary']], [['salary', 'rate']]])('shows the decimal sign of salaries: %j', async (headers) => {
    const fields = customFields({ key: 'rate', type: 'number' });
    const values = headers.map((header) => (header === 'rate' ? '12,5' : '68.400'));
    const { preview } = await read(file(headers, values), { fields });
    expect(preview[0]).toMatchObject({ salary: '68400', 'custom_fields.rate': '12.5' });
  });

  test('is an error if the field was archived after the dry run', async () => {
    const fields = customFields({ key: 'size', type: 'number', archived: true });
    const committed = { dry_run: false, committed_at: '2026-03-02T00:00:00Z' };
    const mapping = { Shoe: 'custom_fields.size' };
    const { errors } = await read(file(['Shoe'], ['43']), { fields, mapping, ...committed });
    expect(errors).toEqual(['E1 custom_fields.size not_found']);
  });
});

describe('a header that is the label of several fields', () => {
  const named = (key: string, label: string, more: object = {}) =>
    ({ key, type: 'text', label: { default: label }, ...more }) as const;
  const sizes = customFields(named('shirt', 'Size'), named('shoe', 'size'));

  test('is refused with their names, as none of them may be chosen silently', async () => {
    const content = file(['Size'], ['43']);
    const refused = await read(content, { fields: sizes, dry_run: false });
    expect(refused.errors).toEqual(['E1 - field_not_allowed']);
    expect(refused.messages).toEqual([
      'Several fields are called “Size”. Choose one with `mapping`: custom_fields.shirt, custom_fields.shoe',
    ]);
    const mapping = { Size: 'custom_fields.shirt' };
    const mapped = await read(content, { fields: sizes, dry_run: false, mapping });
    expect([mapped.errors, valuesOf(mapped)]).toEqual([[], [{ shirt: '43' }]]);
  });

  test.each([{ dry_run: true }, { dry_run: false, unknown_columns: 'ignore' }])(
    'is ignored with a warning in a dry run, or if unknown columns are ignored: %j',
    async (settings) => {
      const found = await read(file(['Size [required]'], ['43']), { fields: sizes, ...settings });
      const message = 'These columns are ignored, because several fields have their name: “Size [required]”';
      expect(found.table.columns[4]!.field).toBeNull();
      expect(found.warnings).toEqual([{ code: 'columns_left_out', message, column: 'E' }]);
      expect(valuesOf(found)).toEqual([undefined]);
    },
  );

  test('can also be the key of one of them', async () => {
    const fields = customFields(named('size', 'Shirt size'), named('shoe', 'Size'));
    expect((await read(file(['size'], ['43']), { fields, dry_run: false })).errors).toEqual(['E1 - field_not_allowed']);
    const byKey = await read(file(['Shirt size', 'custom_fields.shoe'], ['m', '43']), { fields, dry_run: false });
    expect([byKey.errors, valuesOf(byKey)]).toEqual([[], [{ size: 'm', shoe: '43' }]]);
  });

  test('is the name of a standard field first', async () => {
    const fields = customFields(named('one', 'Telefone'), named('other', 'Telefone'));
    const { errors, table } = await read(file(['Telefone'], ['+351 210 000 000']), { fields, dry_run: false });
    expect([errors, table.columns[4]!.field]).toEqual([[], 'phone']);
  });

  test('hides the values if one of the fields is sensitive', async () => {
    const fields = customFields(named('open', 'Allergies'), named('hidden', 'Allergies', { sensitive: true }));
    const { table, preview, warnings } = await read(file(['Allergies'], ['Peanuts']), { fields });
    expect(table.columns[4]!.field).toBeNull();
    expect(JSON.stringify([table, preview, warnings])).not.toContain('Peanuts');
    expect(warnings.map(({ code }) => code)).toEqual(['columns_left_out']);
  });
});

/** Unknown columns: the custom field suggested for each, created and imported as suggested. */
import type { components } from '../../../generated/api.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';
import { clearFields, defineField, fieldsPath } from '../../helpers/resources/custom-fields.ts';
import { csv, range, requiredHeaders, runImport } from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

type Column = components['schemas']['ImportColumn'];

let app: TestApp;
let worker: TestWorker;
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await worker.stop();
  await app.close();
});
afterEach(() => clearFields(app));

const columns = {
  'Shirt size': (n: number) => ['S', 'M', 'Extra Large'][n % 3]!,
  Languages: (n: number) => (n % 2 ? 'pt; es' : 'en'),
  'Years here': (n: number) => n / 4,
  Forklift: (n: number) => (n % 2 ? 'Sim' : 'não'),
  'Valid until': (n: number) => `2026-0${(n % 9) + 1}-01`,
  'Private address': (n: number) => `p${n}@private.example`,
  Page: (n: number) => `https://p${n}.example/`,
  'Second phone': (n: number) => `+55 11 9123${n}`,
  Notes: (n: number) => `One line\nand ${n}`,
  'Badge no.': (n: number) => `00${n}`,
  Имя: (n: number) => `Иван ${n}`,
  Empty: () => '',
};
const file = (people = 12) =>
  csv([
    [...requiredHeaders, ...Object.keys(columns)],
    ...range(people).map((n) => [
      ...[`Person ${n}`, `person${n}@verde.example`, 'Planner', 'Suggested'],
      ...Object.values(columns).map((of) => of(n)),
    ]),
  ]);

const suggestions = (job: { columns: Column[] }) =>
  job.columns.flatMap(({ header, suggested_field: field }) => (field ? [[header, field.type, field.key]] : []));

test('derives the type from all cells, and reads the column as the created field', async () => {
  const dry = await runImport(app.admin, { file: file(), dry_run: true });
  expect(suggestions(dry)).toEqual([
    ['Shirt size', 'choice', 'shirt_size'],
    ['Languages', 'multi_choice', 'languages'],
    ['Years here', 'number', 'years_here'],
    ['Forklift', 'boolean', 'forklift'],
    ['Valid until', 'date', 'valid_until'],
    ['Private address', 'email', 'private_address'],
    ['Page', 'url', 'page'],
    ['Second phone', 'phone', 'second_phone'],
    ['Notes', 'long_text', 'notes'],
    ['Badge no.', 'text', 'badge_no'],
    ['Имя', 'text', 'column_o'],
    ['Empty', 'text', 'empty'],
  ]);
  for (const { suggested_field: field } of dry.columns as Column[]) {
    if (!field) continue;
    const { options, ...others } = field;
    const body = options.length > 0 ? field : others;
    await app.admin.post(fieldsPath, body).expect(201);
  }
  const job = await runImport(app.admin, { file: file() });
  expect([job.status, job.counts.created, suggestions(job)]).toEqual(['completed', 12, []]);
  const { body } = await app.admin.get('/v1/collaborators?email=person2@verde.example').expect(200);
  expect(body.data[0].custom_fields).toEqual({
    ...{ shirt_size: 'extra_large', languages: ['en'], years_here: 0.5, forklift: false, valid_until: '2026-03-01' },
    ...{ private_address: 'p2@private.example', page: 'https://p2.example/', second_phone: '+55 11 91232' },
    ...{ notes: 'One line\nand 2', badge_no: '002', column_o: 'Иван 2', empty: null },
  });
});

test('suggests nothing for a known or ignored column, or a key in use', async () => {
  await defineField(app.admin, { key: 'badge_no', type: 'text' });
  await app.admin.patch(`${fieldsPath}/badge_no`, { archived: true }).expect(200);
  const job = await runImport(app.admin, { file: file(), dry_run: true, mapping: JSON.stringify({ Notes: null }) });
  const found = suggestions(job);
  expect(found.map(([header]) => header)).not.toContain('Notes');
  expect(found).toContainEqual(['Badge no.', 'text', 'badge_no_2']);
  const fields = job.columns.filter(({ field }: Column) => field !== null);
  expect(fields.map(({ suggested_field: field }: Column) => field)).toEqual(fields.map(() => null));
});

test('hides values of a possible salary column from readers without access', async () => {
  const job = await runImport(app.admin, { file: file(), dry_run: true });
  const without = await app.as('admin', { scopes: ['imports:write', 'collaborators:read'] });
  const { body } = await without.get(`/v1/imports/${job.id}`).expect(200);
  expect(JSON.stringify(job)).toContain('Extra Large');
  expect(suggestions(body)).toEqual([]);
  expect(body.restricted_fields).toContain('columns.suggested_field');
  expect(JSON.stringify(body)).not.toContain('Extra Large');
});

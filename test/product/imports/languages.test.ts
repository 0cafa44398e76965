/** Files with headers in other languages, and headers close to a known name, where a person confirms the guess. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  runImport,
  summarizeErrors,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';

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
afterEach(() => expectConsistent(app));

const find = async (search: string) =>
  (await app.admin.get(`/v1/collaborators?search=${search}`).expect(200)).body.data;

test('imports a file in Portuguese as is', async () => {
  const header = [
    'NOME',
    'E-mail',
    'Cargo',
    'Departamento',
    'Data de Admissao',
    'Matrícula',
    'E-mail do gestor',
    'Situação',
  ];
  const row = [
    'Zélia',
    'zelia@example.com',
    'Motorista',
    'Frota',
    '2026-03-02',
    '0042',
    'rui.almeida@example.com',
    'ativa',
  ];
  const job = await runImport(app.admin, { file: csv([header, row]) });
  expect(job).toMatchObject({ status: 'completed', counts: { created: 1 } });
  expect(job.columns.map(({ field, guessed }) => [field, guessed])).toEqual([
    ...['name', 'email', 'position', 'department', 'hire_date', 'employee_number', 'manager_email'].map((field) => [
      field,
      false,
    ]),
    ['status', false],
  ]);
  expect(await find('zelia')).toMatchObject([
    {
      position: 'Motorista',
      hire_date: '2026-03-02',
      employee_number: '0042',
      manager_id: app.manager.collaborator_id,
    },
  ]);
});

const guessed = csv([
  ['Name', 'E-Mail (dienstlich)', 'Stelle', 'Abteilnug'],
  ['Götz', 'goetz@example.com', 'Planer', 'Fuhrpark'],
]);

test('a dry run uses and reports a guess, and committing it confirms it', async () => {
  const dry = await runImport(app.admin, { file: guessed, dry_run: true });
  expect(dry).toMatchObject({ status: 'completed', error_count: 0, counts: { created: 1 } });
  expect(dry.columns).toEqual([
    {
      column: 'A',
      header: 'Name',
      field: 'name',
      guessed: false,
      date_order: null,
      samples: ['Götz'],
      suggested_field: null,
    },
    {
      column: 'B',
      header: 'E-Mail (dienstlich)',
      field: 'email',
      guessed: true,
      date_order: null,
      samples: ['goetz@example.com'],
      suggested_field: null,
    },
    {
      column: 'C',
      header: 'Stelle',
      field: 'position',
      guessed: false,
      date_order: null,
      samples: ['Planer'],
      suggested_field: null,
    },
    {
      column: 'D',
      header: 'Abteilnug',
      field: 'department',
      guessed: true,
      date_order: null,
      samples: ['Fuhrpark'],
      suggested_field: null,
    },
  ]);
  await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
  expect((await waitForImport(app.admin, dry.id)).counts).toMatchObject({ created: 1 });
  expect(await find('goetz')).toMatchObject([{ department: 'Fuhrpark' }]);
});

test('without a dry run, a guess is an error with suggestions, and a mapping resolves it', async () => {
  const file = Buffer.from(guessed.toString().replaceAll('goetz', 'goetz2'));
  const refused = await runImport(app.admin, { file });
  expect(refused).toMatchObject({ status: 'failed', failure: { reason: 'unreadable' } });
  const errors = await errorsOf(app.admin, refused.id);
  expect(summarizeErrors(errors)).toEqual([
    'B1 - field_not_allowed',
    'D1 - field_not_allowed',
    '-1 email required',
    '-1 department required',
  ]);
  expect(errors[1]!.message).toContain('may be department');
  const mapping = { 'E-Mail (dienstlich)': 'email', ABTEILNUG: 'department' };
  const job = await runImport(app.admin, { file, mapping });
  expect(job).toMatchObject({ status: 'completed', counts: { created: 1 } });
  expect(job.columns.every((column) => !column.guessed)).toBe(true);
});

/** The interpretation of a file, as far as it is stored with the import, or depends on answers or other people. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import {
  csv,
  errorsOf,
  expectConsistent,
  requiredHeaders,
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

const headers = [...requiredHeaders, 'hire_date'];
const person = (handle: string, hireDate: string | number | null = null) => {
  return [`Person ${handle}`, `${handle}@example.com`, 'Driver', 'Fleet', hireDate];
};

test('a dry run reports the assumed order of dates, and committing uses it', async () => {
  const file = csv([headers, person('dana1', '03/02/2024'), person('dana2', '29/02/2024')]);
  const dry = await runImport(app.admin, { file, dry_run: true });
  expect(dry).toMatchObject({ status: 'completed', date_order: null, counts: { created: 2 } });
  expect(dry.columns[4]).toMatchObject({ field: 'hire_date', date_order: 'dmy' });
  expect(dry.warnings).toEqual([
    {
      code: 'date_order',
      message: 'Every value is a valid date only when read with the day first: 29/02/2024 is 2024-02-29.',
      column: 'E',
    },
  ]);
  const { body } = await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
  expect(body.warnings).toEqual(dry.warnings);
  const done = await waitForImport(app.admin, dry.id);
  expect(done).toMatchObject({ status: 'completed', columns: dry.columns, warnings: dry.warnings });
  const added = await app.admin.get('/v1/collaborators?search=dana&sort=email').expect(200);
  const days = added.body.data.map((each: { hire_date: string }) => each.hire_date);
  expect(days).toEqual(['2024-02-03', '2024-02-29']);
});

test('the file with errors omits a column of row numbers, and has real dates', async () => {
  const rows = [person('gus', '29/02/2024 08:30'), person('no address', '29/02/2024'), person('ida')];
  const file = csv([[null, ...headers], ...rows.map((row, at) => [at, ...row])]);
  const job = await runImport(app.admin, { file, date_order: 'dmy' });
  expect(job).toMatchObject({ status: 'completed_with_errors', counts: { created: 1, failed: 2 } });
  const report = await (await fetch(job.error_report_url!)).text();
  const [, first, second] = report.split(/\r?\n/);
  expect(first).toMatch(/^"?Person gus"?,/);
  expect(second).toContain('no address@example.com,Driver,Fleet,2024-02-29,');
});

const dry = (file: Buffer, parts: object = {}) => runImport(app.admin, { file, dry_run: true, ...parts });

test('finds managers by number, unique name, or both, and rejects ambiguous ones', async () => {
  const names = ['Ana Someone', 'Twin', 'Twin', 'Rui', 'Eva', 'Mia', 'Ida'];
  const managers = [null, 'k1', 'SOMEONE, ana', 'Twin', 'nobody at all', 'Nobody (k1)', 'CN=Someone\\, Ana,OU=Staff'];
  const rows = names.map((name, at) => [name, `m${at}@cells.example`, 'x', 'y', `k${at + 1}`, managers[at]!]);
  const file = csv([[...requiredHeaders, 'employee_number', 'manager'], ...rows]);
  const job = await dry(file);
  expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['F5 manager not_found', 'F6 manager not_found']);
  expect(job.counts).toMatchObject({ created: 5, failed: 2 });
  const lenient = await dry(file, { unknown_managers: 'warn' });
  expect(lenient.counts).toMatchObject({ created: 6, failed: 1 });
  expect(lenient.warnings).toEqual([expect.objectContaining({ code: 'manager_not_found' })]);
});

test('adds people who have left as inactive, and reports unknown status values', async () => {
  const people = ['Ativo', 'Demitida', 'Férias'].map((status, at) => [`P ${at}`, `left${at}@cells.example`, 'x', 'y', status]);
  const job = await dry(csv([[...requiredHeaders, 'Situação'], ...people]), { send_invitations: true });
  expect(job.warnings.map(({ code }) => code)).toEqual(['status', 'already_left']);
  await app.admin.post(`/v1/imports/${job.id}/commit`).expect(202);
  await waitForImport(app.admin, job.id);
  const { body } = await app.admin.get('/v1/collaborators?search=left1@').expect(200);
  expect(body.data[0]).toMatchObject({ status: 'inactive' });
}); // biome-ignore format: short

test('asks which of two columns a field is, and which one it is without a known header', async () => {
  const file = csv([
    ['name', 'email', 'department', 'What they do', 'Age', 'Telefone', 'Celular'],
    ['Ana Lima', 'ana@cells.example', 'y', 'Driver', 41, '1', '2'],
  ]);
  const job = await dry(file);
  expect(job.questions).toMatchObject([
    { id: 'column:phone', choices: [{ answer: 'F', label: 'Telefone' }, { answer: 'G', example: '2' }] },
    { id: 'column:position', choices: [{ answer: 'D', label: 'What they do', example: 'Driver' }] },
  ]);
  const answers = { 'column:phone': 'G', 'column:position': 'D' };
  await app.admin.post(`/v1/imports/${job.id}/answers`, { answers }).expect(202);
  const { preview } = await waitForImport(app.admin, job.id);
  expect(preview[0]!.values).toMatchObject({ phone: '2', position: 'Driver' });
}); // biome-ignore format: short

describe('messages in the reader’s language', () => {
  const read = async (path: string, language: string) => {
    return (await app.admin.get(path).set('Accept-Language', language).expect(200)).body;
  };

  test('warnings to check before a commit', async () => {
    const file = csv([['Staff list'], headers, person('lea1', '03/02/2024'), person('lea2', '29/02/2024')]);
    const { id, warnings } = await runImport(app.admin, { file, dry_run: true });
    const messages = {
      en: [
        'The headers are in row 2. The rows above them are skipped.',
        'Every value is a valid date only when read with the day first: 29/02/2024 is 2024-02-29.',
      ],
      pt: [
        'Os cabeçalhos estão na linha 2. As linhas acima deles são ignoradas.',
        'Os valores só são todos datas válidas se lidos com o dia primeiro: 29/02/2024 é 2024-02-29.',
      ],
      es: [
        'Los encabezados están en la fila 2. Las filas anteriores se ignoran.',
        'Todos los valores son fechas válidas solo si se leen con el día primero: 29/02/2024 es 2024-02-29.',
      ],
    };
    for (const [language, expected] of Object.entries(messages)) {
      const translated = warnings.map((warning, at) => ({ ...warning, message: expected[at] }));
      expect((await read(`/v1/imports/${id}`, language)).warnings).toEqual(translated);
      expect((await read('/v1/imports?limit=1', language)).data[0].warnings).toEqual(translated);
    }
    const committed = await app.admin.post(`/v1/imports/${id}/commit`).set('Accept-Language', 'es').expect(202);
    expect(committed.body.warnings[0].message).toBe(messages.es[0]);
    await waitForImport(app.admin, id);
    await app.database.query(`update imports set warnings = warnings #- '{0,said}' where id = $1`, [id]);
    // Stored before translations existed.
    expect((await read(`/v1/imports/${id}`, 'pt')).warnings[0].message).toBe(messages.en[0]);
  });

  test('the reason of a failed import', async () => {
    const file = csv([headers, person('no address')]);
    const { id, status } = await runImport(app.admin, { file, on_error: 'abort' });
    expect(status).toBe('failed');
    const messages = {
      en: '1 of 1 rows has an error, so nothing was imported.',
      pt: '1 de 1 linhas tem um erro; por isso nada foi importado.',
      es: '1 de 1 filas tiene un error, así que no se importó nada.',
    };
    for (const [language, message] of Object.entries(messages)) {
      const { failure } = await read(`/v1/imports/${id}`, language);
      expect(failure.message).toBe(message);
      expect((await read('/v1/imports?limit=1', language)).data[0].failure).toEqual(failure);
    }
    await app.database.query('update imports set failure_said = null where id = $1', [id]);
    // Stored before translations existed.
    expect((await read(`/v1/imports/${id}`, 'pt')).failure.message).toBe(messages.en);
  });

  test('the error of a file that can’t be read, and the failure', async () => {
    const { id } = await runImport(app.admin, { file: Buffer.from(`${headers.join()}\n"Lou,lou@example.com\n`) });
    const { failure } = await read(`/v1/imports/${id}`, 'es');
    expect(failure.message).toBe('No se puede leer el archivo como csv: hay comillas sin cerrar.');
    expect((await read(`/v1/imports/${id}/errors`, 'es')).data[0].message).toBe(failure.message);
  });
});

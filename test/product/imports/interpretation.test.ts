/** Hand-made tables: what is recognized, ignored, or asked about. */
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
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
import { written } from '../../platform/sheets/other-workbooks.ts';
import { readAll } from '../../platform/sheets/workbooks.ts';

let app: TestApp;
let worker: TestWorker;
const sheets = new SheetReader(1);
beforeAll(async () => {
  app = await testApp();
  worker = await testWorker(app);
});
afterAll(async () => {
  await sheets.close();
  await worker.stop();
  await app.close();
});
afterEach(() => expectConsistent(app));

const headers = [...requiredHeaders, 'hire_date'];
const person = (handle: string, hireDate: string | number | null = null) => {
  return [`Person ${handle}`, `${handle}@example.com`, 'Driver', 'Fleet', hireDate];
};

async function hired(handle: string): Promise<string | null> {
  const { body } = await app.admin.get(`/v1/collaborators?search=${handle}@example.com`).expect(200);
  return body.data[0].hire_date;
}

describe('headers', () => {
  test('can follow a title and empty rows, and row numbers refer to the file', async () => {
    const file = csv([
      ['Staff list 2026'],
      [],
      ['as of', '2026-03-02'],
      headers,
      person('tina'),
      person('bad address'),
    ]);
    const job = await runImport(app.admin, { file });
    expect(job).toMatchObject({ status: 'completed_with_errors', header_row: 4, counts: { created: 1, failed: 1 } });
    expect(job.warnings).toEqual([
      { code: 'rows_left_out', message: 'The headers are in row 4. The rows above them are skipped.', column: null },
    ]);
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['B6 email invalid_format']);
  });

  test('that are missing are one error, with found and expected names', async () => {
    const file = csv([['Staff list 2026'], [], ['Ann', 'ann@example.com', 'Driver']]);
    const job = await runImport(app.admin, { file });
    expect(job).toMatchObject({ status: 'failed', header_row: null, columns: [], error_count: 1, warnings: [] });
    const errors = await errorsOf(app.admin, job.id);
    expect(summarizeErrors(errors)).toEqual(['-1 - required']);
    expect(errors[0]!.message).toBe(
      'None of the first 2 rows has the headers: row 1 has “Staff list 2026”. Add a row with the column names, such as name, email, position, and department.',
    );
    expect(job.failure!.message).toBe(errors[0]!.message);
  });

  test('can span two rows with merged cells, and have units below', async () => {
    const file = csv([
      [null, null, null, null, 'Emergency contact', null],
      ['Name', 'Email', 'Position', 'Department', 'Name', 'Phone'],
      ['(text)', '(text)', '(text)', '(text)', null, '-'],
      ['Uma', 'uma@example.com', 'Driver', 'Fleet', 'Bob', '123'],
    ]);
    const job = await runImport(app.admin, { file });
    expect(job).toMatchObject({ status: 'completed', header_row: 2, counts: { created: 1 } });
    expect(job.columns.slice(4).map(({ header, field }) => [header, field])).toEqual([
      ['Emergency contact Name', 'emergency_contact.name'],
      ['Emergency contact Phone', 'emergency_contact.phone'],
    ]);
    expect(job.warnings.map(({ message }) => message)).toEqual([
      'Row 3 has the units of the headers above it, and is ignored.',
    ]);
    const { body } = await app.admin.get('/v1/collaborators?search=uma@example.com').expect(200);
    expect(body.data[0].emergency_contact).toMatchObject({ name: 'Bob', phone: '123' });
  });

  test('of a row number column are ignored, and the file with errors omits it', async () => {
    const rows = [person('ivo'), person('no address'), person('ida')].map((row, at) => [at, ...row]);
    const job = await runImport(app.admin, { file: csv([[null, ...headers], ...rows]) });
    expect(job).toMatchObject({ status: 'completed_with_errors', counts: { created: 2, failed: 1 } });
    expect(job.warnings).toEqual([expect.objectContaining({ code: 'column_left_out', column: 'A' })]);
    const report = await (await fetch(job.error_report_url!)).text();
    expect(report.replace('\ufeff', '').split(/\r?\n/)[1]).toMatch(/^"?Person no address"?,/);
    const other = await runImport(app.admin, {
      file: csv([
        [null, ...headers],
        [7, ...person('ike')],
      ]),
    });
    expect(summarizeErrors(await errorsOf(app.admin, other.id))).toEqual(['A1 - required']);
  });
});

describe('dates as text', () => {
  const file = (handle: string) =>
    csv([headers, person(`${handle}1`, '03/02/2024'), person(`${handle}2`, '29/02/2024')]);

  test('a dry run reports the assumed order, and committing uses it', async () => {
    const dry = await runImport(app.admin, { file: file('dana'), dry_run: true });
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
    expect([await hired('dana1'), await hired('dana2')]).toEqual(['2024-02-03', '2024-02-29']);
  });

  test('without a dry run, the assumed order is an error of the column until specified', async () => {
    const refused = await runImport(app.admin, { file: file('dirk') });
    expect(refused).toMatchObject({ status: 'failed', failure: { reason: 'unreadable' }, error_count: 1 });
    expect(summarizeErrors(await errorsOf(app.admin, refused.id))).toEqual(['E1 hire_date unclear_dates']);
    const job = await runImport(app.admin, { file: file('dirk'), date_order: 'dmy' });
    expect(job).toMatchObject({ status: 'completed', date_order: 'dmy', warnings: [] });
    expect(await hired('dirk1')).toBe('2024-02-03');
  });

  test('two possible orders are asked about in a dry run, and an error with both readings without one', async () => {
    const ambiguous = csv([headers, person('edda', '03/02/24')]);
    const dryRunJob = await runImport(app.admin, { file: ambiguous, dry_run: true });
    expect(dryRunJob).toMatchObject({ status: 'needs_answers', error_count: 0, questions: [{ id: 'date_order' }] });
    expect(dryRunJob.questions[0]!.choices).toMatchObject([
      { answer: 'dmy', example: '03/02/24 = 2024-02-03' },
      { answer: 'mdy', example: '03/02/24 = 2024-03-02' },
      { answer: 'ymd', example: '03/02/24 = 2003-02-24' },
    ]);
    const refused = await runImport(app.admin, { file: ambiguous });
    const [error] = await errorsOf(app.admin, refused.id);
    expect(error).toMatchObject({ row: 1, column: 'E', field: 'hire_date', code: 'unclear_dates' });
    expect(error!.message).toMatch(/2024-02-03 with the day first, and 2024-03-02 with the month first.*`date_order`/);
    await runImport(app.admin, { file: ambiguous, date_order: 'mdy' });
    expect(await hired('edda')).toBe('2024-03-02');
  });

  test('month names, year first, and a midnight time need no question', async () => {
    const days = ['3 Feb 2024', '3 de fevereiro de 2024', '2024/02/03', '2024-02-03 00:00:00', '20240203'];
    const job = await runImport(app.admin, { file: csv([headers, ...days.map((day, at) => person(`fay${at}`, day))]) });
    expect(job).toMatchObject({ status: 'completed', counts: { created: 5 }, warnings: [] });
    expect(await Promise.all(days.map((_, at) => hired(`fay${at}`)))).toEqual(days.map(() => '2024-02-03'));
  });

  test('invalid dates and times are one error of the row, and the file with errors has real dates', async () => {
    const rows = [person('gus', '29/02/2024 08:30'), person('gil', 'soon'), person('no address', '29/02/2024')];
    const job = await runImport(app.admin, { file: csv([headers, ...rows]), date_order: 'dmy' });
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual([
      'E2 hire_date invalid_format',
      'E3 hire_date invalid_format',
      'B4 email invalid_format',
    ]);
    const report = await (await fetch(job.error_report_url!)).text();
    expect(report).toContain('no address@example.com,Driver,Fleet,2024-02-29,');
  });
});

test.each([
  ['xlsx', false],
  ['ods', true],
] as const)('serial dates in an %s that counts from 1904: %s', async (kind, from1904) => {
  const handle = `${kind}-${from1904}`;
  const cells = person(handle, from1904 ? 43_889 : 45_351).map((v) => ({ t: typeof v === 'number' ? 'n' : 's', v }) as never);
  const bytes = written(kind, { People: [headers.map((v) => ({ t: 's', v })), cells] }, from1904);
  expect((await readAll(sheets, bytes)).info.from1904).toBe(from1904);
  const direct = await runImport(app.admin, { file: bytes, filename: 'people' });
  expect(summarizeErrors(await errorsOf(app.admin, direct.id))).toEqual(['E1 hire_date unclear_dates']);
  const dry = await runImport(app.admin, { file: bytes, filename: 'people', dry_run: true });
  expect(dry.warnings).toEqual([expect.objectContaining({ code: 'serial_dates', column: 'E' })]);
  await app.admin.post(`/v1/imports/${dry.id}/commit`).expect(202);
  await waitForImport(app.admin, dry.id);
  expect(await hired(handle)).toBe('2024-02-29');
}); // biome-ignore format: short

test.each([
  ['pt', 'Nome;E-mail;Cargo;Departamento;Data de admissão'],
  ['es', 'Nombre;Correo electrónico;Puesto;Departamento;Fecha de ingreso'],
  ['de', 'Name;E-Mail-Adresse;Stelle;Abteilung;Eintrittsdatum'],
  ['fr', "Nom;Courriel;Poste;Service;Date d'embauche"],
])('headers in %s need no mapping', async (language, header) => {
  const job = await runImport(app.admin, {
    file: csv([header.split(';'), person(`ling-${language}`, '2026-03-02')]),
  });
  expect(job).toMatchObject({ status: 'completed', counts: { created: 1 }, warnings: [] });
  expect(await hired(`ling-${language}`)).toBe('2026-03-02');
});

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

  test('reasons of a failed import: reading, headers, dates, and rows', async () => {
    const cases: [Parameters<typeof runImport>[1], RegExp, RegExp, RegExp][] = [
      [
        { file: Buffer.from(`${headers.join()}\n"Lou,lou@example.com\n`) },
        /^The file can't be read as csv: a quote is not closed\.$/,
        /^Não é possível ler o arquivo como csv: há aspas que não foram fechadas\.$/,
        /^No se puede leer el archivo como csv: hay comillas sin cerrar\.$/,
      ],
      [
        { file: csv([['Staff'], ['Ann']]) },
        /^None of the first 2 rows has the headers: row 1 has “Staff”\. Add a row/,
        /^Nenhuma das primeiras 2 linhas tem os cabeçalhos: a linha 1 tem “Staff”\. Adicione uma linha/,
        /^Ninguna de las primeras 2 filas tiene los encabezados: la fila 1 tiene “Staff”\. Añada una fila/,
      ],
      [
        { file: csv([headers, person('lou', '29/02/2024')]) },
        /^Every value is a valid date only when read with the day first: .+ Confirm it: /,
        /^Os valores só são todos datas válidas se lidos com o dia primeiro: .+ Confirme: /,
        /^Todos los valores son fechas válidas solo si se leen con el día primero: .+ Confírmelo: /,
      ],
      [
        { file: csv([headers, person('no address')]), on_error: 'abort' },
        /^1 of 1 rows has an error, so nothing was imported\.$/,
        /^1 de 1 linhas tem um erro; por isso nada foi importado\.$/,
        /^1 de 1 filas tiene un error, así que no se importó nada\.$/,
      ],
    ];
    for (const [parts, en, pt, es] of cases) {
      const { id, status } = await runImport(app.admin, parts);
      expect(status).toBe('failed');
      for (const [language, message] of Object.entries({ en, pt, es })) {
        const { failure } = await read(`/v1/imports/${id}`, language);
        expect(failure.message).toMatch(message);
        expect((await read('/v1/imports?limit=1', language)).data[0].failure).toEqual(failure);
        const [error] = (await read(`/v1/imports/${id}/errors`, language)).data;
        if (failure.reason === 'unreadable') expect(error.message).toBe(failure.message);
      }
      await app.database.query('update imports set failure_said = null where id = $1', [id]);
      expect((await read(`/v1/imports/${id}`, 'pt')).failure.message).toMatch(en); // stored before translations existed
    }
  });
});

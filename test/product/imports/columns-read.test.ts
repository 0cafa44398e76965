/** Cells as programs and people write them: interpreted by column, asked about, or rejected; never silently changed. */
import { type TestApp, testApp } from '../../helpers/app.ts';
import {
  csv,
  errorsOf,
  requiredHeaders,
  runImport,
  summarizeErrors,
  waitForImport,
} from '../../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../../helpers/worker.ts';
import { workbook } from '../../platform/sheets/workbooks.ts';

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

let serial = 0;
const person = (...more: (string | number | null)[]) => {
  serial++;
  return [`Someone ${serial}`, `someone${serial}@cells.example`, 'x', 'y', ...more];
};
const table = (header: string[], ...rows: (string | number | null)[][]) => {
  return csv([[...requiredHeaders, ...header], ...rows.map((row) => person(...row))]);
};
const dry = (file: Buffer, parts: object = {}) => runImport(app.admin, { file, dry_run: true, ...parts });
const salaries = (job: Awaited<ReturnType<typeof dry>>) => job.preview.map(({ values }) => values.salary);
const answer = async (id: string, answers: Record<string, string>) => {
  await app.admin.post(`/v1/imports/${id}/answers`, { answers }).expect(202);
  return waitForImport(app.admin, id);
};

describe('numbers', () => {
  test('with thousands separators follow other numbers of the column', async () => {
    const job = await dry(table(['Salário'], ['68.400'], ['3.500'], ['54.000,00'], ['1.250.000,00']));
    expect(job).toMatchObject({ status: 'completed', counts: { created: 4 } });
    expect(salaries(job)).toEqual(['68400', '3500', '54000', '1250000']);
    expect(job.warnings).toEqual([
      {
        code: 'decimal',
        message: 'Numbers are read with a decimal comma, as row 4 shows; the one in row 2 is ambiguous.',
        column: 'E',
      },
    ]);
  });

  test('that stay ambiguous are asked about in a dry run with both readings, and the answer applies', async () => {
    const file = table(['salary'], ['68.400'], ['3.500']);
    const dryRun = await dry(file);
    expect(dryRun).toMatchObject({ status: 'needs_answers', error_count: 0, failure: null, completed_at: null });
    expect(dryRun.questions).toEqual([
      {
        ...{ id: 'decimal', kind: 'decimal', column: null },
        message: 'How are the numbers written? The one in row 2 can be read in two ways.',
        choices: [
          { answer: 'comma', label: 'The comma is before the decimals', example: '68.400 = 68400' },
          { answer: 'point', label: 'The point is before the decimals', example: '68.400 = 68.4' },
        ],
      },
    ]);
    const resolved = await answer(dryRun.id, { decimal: 'comma' });
    expect(resolved).toMatchObject({ status: 'completed', decimal: 'comma', questions: [], counts: { created: 2 } });
    expect(salaries(resolved)).toEqual(['68400', '3500']);
    await app.admin.post(`/v1/imports/${dryRun.id}/commit`).expect(202);
    expect(await waitForImport(app.admin, dryRun.id)).toMatchObject({ status: 'completed', counts: { created: 2 } });
    const { body } = await app.admin.get('/v1/collaborators?search=cells.example&sort=-created_at').expect(200);
    expect(body.data.map(({ salary }: { salary: number }) => salary).sort()).toEqual([3500, 68_400]);
  });

  test('that stay ambiguous are an error of the column without a dry run', async () => {
    const job = await runImport(app.admin, { file: table(['salary'], ['68.400']) });
    expect(job).toMatchObject({ status: 'failed', failure: { reason: 'unreadable' } });
    const [error] = await errorsOf(app.admin, job.id);
    expect(error).toMatchObject({ row: 1, column: 'E', field: 'salary', code: 'unclear_numbers' });
    expect(error!.message).toMatch(
      /can be read in two ways, as in row 2: with a decimal comma, or with a decimal point/,
    );
  });

  test('drop currencies with a warning, and anything else is an error of the row', async () => {
    const job = await dry(table(['salary'], ['R$ 3.500,00'], ['R$ 68.400,50'], ['a combinar']));
    expect(salaries(job)).toEqual(['3500', '68400.5', 'a combinar']);
    expect(job.warnings).toEqual([expect.objectContaining({ code: 'currency', column: 'E' })]);
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['E4 salary invalid_type']);
  });
});

describe('names', () => {
  const named = (headers: string[], ...rows: string[][]) => {
    return csv([[...headers, 'email', 'position', 'department'], ...rows.map((row) => [...row, `n${++serial}@cells.example`, 'x', 'y'])]);
  };
  const namesOf = async (file: Buffer, parts: object = {}) => {
    const job = await dry(file, parts);
    return { job, names: job.preview.map(({ values }) => values.name) };
  };

  test.each([
    [['Nome', 'Sobrenome'], ['Ana', 'Prado']],
    [['Name', 'Vorname'], ['Prado', 'Ana']],
  ])('are joined from %j', async (headers, row) => {
    const { job, names } = await namesOf(named(headers, row));
    expect(names).toEqual(['Ana Prado']);
    expect(job.warnings.map(({ code }) => code)).toEqual(['names_joined']);
  });

  test('a full name column takes precedence over its parts', async () => {
    const { job, names } = await namesOf(named(['Nome', 'Sobrenome'], ['Ana Maria Prado', 'Prado'], ['Rui', '']));
    expect(names).toEqual(['Ana Maria Prado', 'Rui']);
    expect(job.columns[1]).toMatchObject({ field: null });
  });

  test('two columns mapped to the name are joined in the order of the mapping', async () => {
    const mapping = { Second: 'name', First: 'name' };
    expect((await namesOf(named(['First', 'Second'], ['a', 'b']), { mapping })).names).toEqual(['b a']);
  });

  test('an ignored part of the name is reported', async () => {
    const { job } = await namesOf(named(['Nome', 'Sobrenome'], ['Ana', 'Prado']), { mapping: { Sobrenome: null } });
    expect(job.warnings).toEqual([expect.objectContaining({ code: 'half_name', column: 'B' })]);
  });

  test('a partial name is never taken for the full one', async () => {
    const { job } = await namesOf(named(['Vorname'], ['Ana']));
    expect(job).toMatchObject({ status: 'needs_answers', questions: [{ id: 'column:name', kind: 'column' }] });
    const done = await answer(job.id, { 'column:name': 'A' });
    expect(done).toMatchObject({ status: 'completed', preview: [{ values: { name: 'Ana' } }] });
  });

  test('with the family name first are swapped if all are, asked about if some are, and kept if it means something else', async () => {
    const all = await namesOf(named(['Name'], ['Prado, Ana'], ['Reis, Rui']));
    expect(all.names).toEqual(['Ana Prado', 'Rui Reis']);
    expect(all.job.warnings).toEqual([expect.objectContaining({ code: 'names_turned', column: 'A' })]);
    const some = await namesOf(named(['Name'], ['Prado, Ana'], ['Rui Reis']));
    expect(some.job.questions).toMatchObject([{ id: 'name_order', choices: [{ answer: 'family_first', example: 'Ana Prado' }, { answer: 'as_written' }] }]);
    const reversed = await answer(some.job.id, { name_order: 'family_first' });
    expect(reversed.preview.map(({ values }) => values.name)).toEqual(['Ana Prado', 'Rui Reis']);
    expect((await namesOf(named(['Name'], ['Ana Prado, Jr.']))).names).toEqual(['Ana Prado, Jr.']);
  });
}); // biome-ignore format: short

describe('cells', () => {
  test('placeholders are empty, with one warning', async () => {
    const job = await dry(table(['phone', 'salary', 'hire_date'], ['NULL', 'NA', 'NaT'], ['-', '\\N', 'N/A'], ['n/d', '-', '-']));
    expect(job).toMatchObject({ status: 'completed', counts: { created: 3 } });
    expect(job.preview[0]!.values).not.toHaveProperty('phone');
    expect(job.warnings).toEqual([{ code: 'placeholders', message: 'These are read as empty cells: NULL  NA  NaT  -  \\N', column: null }]);
  });

  test('formula errors, rounded numbers, and lost characters are errors, with a file that lists them', async () => {
    const file = table(['phone', 'employee_number'], ['#REF!', '1'], ['5,51199E+12', '2'], ['x', 'N\ufffd1'], ['+55 11', '="0042"']);
    const job = await dry(file);
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual([
      'E2 phone invalid_format',
      'E3 phone invalid_format',
      'F4 employee_number invalid_format',
    ]);
    expect(job.preview[3]!.values).toMatchObject({ employee_number: '0042' });
    expect(await (await fetch(job.error_report_url!)).text()).toContain('5,51199E+12');
  });

  test('a workbook number over 15 digits has lost precision, and formulas count by result', async () => {
    const text = (cell: string, value: string) => `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const header = [...requiredHeaders, 'employee_number'].map((name, at) => text(`${'ABCDE'[at]}1`, name)).join('');
    const line = (row: number, number: string) =>
      `<row r="${row}"><c r="A${row}" t="str"><f>B1</f><v>Ana ${row}</v></c>${text(`B${row}`, `f${row}@cells.example`)}${text(`C${row}`, 'x')}${text(`D${row}`, 'y')}<c r="E${row}"><v>${number}</v></c></row>`;
    const rows = line(2, '1234567890123456') + line(3, '42');
    const job = await dry(await workbook(`<row r="1">${header}</row>${rows}`), { filename: 'a.xlsx' });
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['E2 employee_number invalid_format']);
    expect(job.preview[1]!.values).toMatchObject({ name: 'Ana 3', employee_number: '42' });
    expect(job.warnings).toEqual([expect.objectContaining({ code: 'formula_results', column: 'A' })]);
  });

  test('garbled texts are asked about and repaired', async () => {
    const job = await dry(table(['location'], ['SÃ£o Paulo'], ['Porto']));
    expect(job.questions).toMatchObject([{ id: 'garbled_text', choices: [{ answer: 'repair', example: 'São Paulo' }, { answer: 'keep', example: 'SÃ£o Paulo' }] }]);
    const done = await answer(job.id, { garbled_text: 'repair' });
    expect(done.preview[0]!.values.location).toBe('São Paulo');
  });
}); // biome-ignore format: short

describe('managers, status, and columns', () => {
  test('finds managers by number or unique name, and rejects ambiguous ones', async () => {
    const header = ['employee_number', 'manager'];
    const rows = [['k1', null], ['k2', 'k1'], ['k3', 'SOMEONE, ana'], ['k4', 'Twin'], ['k5', 'nobody at all']];
    const file = csv([[...requiredHeaders, ...header], ...rows.map(([number, manager], at) => [['Ana Someone', 'Twin', 'Twin', 'Rui', 'Eva'][at]!, `m${at}@cells.example`, 'x', 'y', number!, manager!])]);
    const job = await dry(file);
    expect(summarizeErrors(await errorsOf(app.admin, job.id))).toEqual(['F5 manager not_found', 'F6 manager not_found']);
    expect(job.counts).toMatchObject({ created: 3, failed: 2 });
    const lenient = await dry(file, { unknown_managers: 'warn' });
    expect(lenient.counts).toMatchObject({ created: 4, failed: 1 });
    expect(lenient.warnings).toEqual([expect.objectContaining({ code: 'manager_not_found' })]);
  });

  test('adds people who have left as inactive, and reports unknown status values', async () => {
    const file = table(['Situação'], ['Ativo'], ['Demitida'], ['Férias']);
    const job = await dry(file, { send_invitations: true });
    expect(job.warnings.map(({ code }) => code)).toEqual(['status', 'already_left']);
    await app.admin.post(`/v1/imports/${job.id}/commit`).expect(202);
    await waitForImport(app.admin, job.id);
    const { body } = await app.admin.get(`/v1/collaborators?search=someone${serial - 1}@`).expect(200);
    expect(body.data[0]).toMatchObject({ status: 'inactive' });
  });

  test('unknown columns are ignored in a dry run, even more than 50, and rejected without one', async () => {
    const many = Array.from({ length: 80 }, (_, at) => `Custom ${at}`);
    const file = csv([[...requiredHeaders, ...many], [...person(), ...many.map(() => 'z')]]);
    const job = await dry(file);
    expect(job).toMatchObject({ status: 'completed', counts: { created: 1 } });
    expect(job.warnings).toEqual([expect.objectContaining({ code: 'columns_left_out', column: 'E' })]);
    expect(await runImport(app.admin, { file })).toMatchObject({ status: 'failed', error_count: 80 });
    expect(await runImport(app.admin, { file, unknown_columns: 'ignore' })).toMatchObject({ status: 'completed' });
    expect(await dry(table(['Odd'], ['z']), { unknown_columns: 'refuse' })).toMatchObject({ status: 'failed' });
  });

  test('asks about two columns for one field, unless they agree', async () => {
    const job = await dry(table(['Telefone', 'Celular'], ['1', '2']));
    expect(job.questions).toMatchObject([{ id: 'column:phone', choices: [{ answer: 'E', label: 'Telefone' }, { answer: 'F', example: '2' }] }]);
    const done = await answer(job.id, { 'column:phone': 'F' });
    expect(done).toMatchObject({ status: 'completed', preview: [{ values: { phone: '2' } }] });
    expect(await dry(table(['Telefone', 'Celular'], ['1', '1'], ['2', null]))).toMatchObject({ status: 'completed' });
  });

  test('asks which column a field without a known header is', async () => {
    const file = csv([['name', 'email', 'department', 'What they do', 'Age'], ['Ana Lima', `${++serial}@cells.example`, 'y', 'Driver', 41]]);
    const job = await dry(file);
    expect(job.questions).toMatchObject([{ id: 'column:position', choices: [{ answer: 'D', label: 'What they do', example: 'Driver' }] }]);
    expect((await answer(job.id, { 'column:position': 'D' })).preview[0]!.values.position).toBe('Driver');
  });
}); // biome-ignore format: short

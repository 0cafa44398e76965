/** Texts that are stored already are brought into the form of new ones. */
import { readFile } from 'node:fs/promises';
import { oneLine } from '../../../src/contract/texts/one-line.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const fields = [
  'name',
  'position',
  'department',
  'phone',
  'work_schedule',
  'location',
  'external_id',
  'employee_number',
];

async function stored(): Promise<Record<string, string | null>[]> {
  return app.database.query(
    `select ${fields.join(', ')} from collaborators where email like '%@before.example' order by email`,
  );
}

async function addAsBefore(at: number, values: Record<string, string>): Promise<void> {
  const email = `person${String(at).padStart(3, '0')}@before.example`;
  const person = { name: 'Ana Luz', email, position: 'P', department: 'D' };
  const { body } = await app.admin.post('/v1/collaborators', person).expect(201);
  for (const [field, value] of Object.entries(values)) {
    await app.database.query(`update collaborators set ${field} = $1 where id = $2`, [value, body.id]);
  }
}

async function migrateAgain(): Promise<void> {
  const folder = new URL('../../../src/platform/schema/migrations/', import.meta.url);
  await app.database.query(await readFile(new URL('0130_one_line_texts.sql', folder), 'utf8'));
}

test('as the function has it, and found by filters', async () => {
  const texts = [
    ...[
      'Plain',
      ' Opera\u0063\u0327o\u0303es \n',
      '\u202aAna\u202c',
      '\u200b\u3164x\u2800',
      'می\u200cخواهم',
      '👩\u200d🚒 ',
    ],
    ...['葛\u{e0100}', '\ufe0fx', '\u{e0061}x', '\u2060\u00adx\ufeff', 'Jose\u0301'],
  ];
  for (const [at, text] of texts.entries()) {
    const plain = fields.filter((field) => !field.endsWith('_id') && !field.endsWith('_number'));
    const ids = { external_id: `${text}${at}`, employee_number: `${at}${text}` };
    await addAsBefore(at, { ...Object.fromEntries(plain.map((field) => [field, text])), ...ids });
  }
  const before = await stored();
  await migrateAgain();
  const formed = before.map((row) => Object.fromEntries(fields.map((field) => [field, oneLine(row[field]!)])));
  expect(await stored()).toEqual(formed);
  const { body } = await app.admin.get(`/v1/collaborators?department=${encodeURIComponent('Operações')}`).expect(200);
  expect(body.data).toHaveLength(1);
  await migrateAgain();
  expect(await stored()).toEqual(formed);
});

test('what is blank is null where it may be, ids stay apart, and characters inside stay', async () => {
  await addAsBefore(100, {
    name: '\u200b\u200b',
    location: ' ',
    phone: '\u3164',
    external_id: 'Zoë',
    employee_number: '\u200b',
  });
  await addAsBefore(101, { external_id: 'Zoe\u0308', department: 'a\nb ', work_schedule: 'a\u202eb\u200b' });
  await migrateAgain();
  expect((await stored()).slice(-2)).toMatchObject([
    { name: '\u200b\u200b', location: null, phone: null, external_id: 'Zoë', employee_number: null },
    { external_id: 'Zoe\u0308', department: 'a\nb', work_schedule: 'a\u202eb' },
  ]);
});

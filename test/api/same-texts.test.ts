/** A text gets the same value or the same error, whichever way it is sent. */
import { type TestApp, testApp } from '../helpers/app.ts';
import fc from '../helpers/property.ts';
import { errorsOf, runImport } from '../helpers/resources/imports.ts';
import { type TestWorker, testWorker } from '../helpers/worker.ts';

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

const path = '/v1/collaborators';
let serial = 0;
const address = () => `person${++serial}@texts.example`;
const person = (fields: object = {}) => ({
  ...{ name: 'Ana Luz', email: address(), position: 'Planner', department: 'Fleet' },
  ...fields,
});
const added = async (fields: object) => (await app.admin.post(path, person(fields)).expect(201)).body;
const bulk = async (mode: string, ...items: object[]) =>
  (await app.admin.post(`${path}/bulk`, { mode, items }).expect(200)).body.results;

describe('the same text as a record, in bulk, in a file, and as a change', () => {
  /** Not a number, a formula, or a placeholder for an empty value, and doesn't end a text file. */
  const piece = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom('Ana', 'José', 'Jose\u0301', 'می\u200cخواهم', '👩\u200d🚒', '葛\u{e0100}', '株式会社'),
    },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        ...[
          ' ',
          '\u00a0',
          '\u200b',
          '\u200d',
          '\u202a',
          '\u202c',
          '\u202e',
          '\u2066',
          '\ufeff',
          '\u3164',
          '\u2800',
          '\u180e',
        ],
        ...[
          '\ufe0f',
          '\u{e0061}',
          '\n',
          '\u2028',
          '\u0085',
          '\u009b',
          '\u001b',
          '\u0007',
          '\u00ad',
          '\u0301',
          '\u034f',
        ],
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .string({ unit: 'binary', minLength: 1, maxLength: 3 })
        .filter((text) => !/[\0\r"=+\-@'\ufffd]/.test(text)),
    },
  );
  const line = fc
    .array(piece, { minLength: 1, maxLength: 5 })
    .map((pieces) => pieces.join(''))
    .filter((text) => !/^[\d\s.,-]*$/.test(text));
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

  const stored = async (email: string) => {
    const { body } = await app.admin.get(`${path}?email=${encodeURIComponent(email)}`).expect(200);
    return body.data[0];
  };
  /** A blank cell is reported as missing for rows, and as blank for records; treats both alike. */
  const problemsIn = (details: Record<string, { code: string; message: string }[]> = {}) =>
    Object.fromEntries(
      Object.entries(details).map(([field, errors]) => {
        const words = errors.map(({ code, message }) => {
          const isBlank = code === 'required' || message.startsWith('Must not be blank');
          return isBlank ? 'blank' : `${code} ${message}`;
        });
        return [field, words.toSorted()];
      }),
    );

  test('gets the same value or the same error', async () => {
    const people = fc.array(fc.record(Object.fromEntries(fields.map((field) => [field, line]))), {
      minLength: 5,
      maxLength: 5,
    });
    // These are also the bytes of `Jos頭`: an import asks, unless the encoding is given.
    const garbled = Object.fromEntries(fields.map((field) => [field, 'José\u00a0\u00ad']));
    await fc.assert(
      fc.asyncProperty(people, async (sent) => {
        const run = ++serial;
        const of = (channel: string) =>
          sent.map((each, at) => ({
            ...each,
            external_id: `${each.external_id}${channel}${run}.${at}${each.external_id}`,
            employee_number: `${each.employee_number}${channel}${run}.${at}${each.employee_number}`,
            email: `${channel}${run}.${at}@same.example`,
          }));
        const outcome = async (channel: string, at: number, details: unknown) => {
          const row = await stored(`${channel}${run}.${at}@same.example`);
          const values = row && fields.map((field) => row[field]?.replace(`${channel}${run}.${at}`, ''));
          return { values, problems: problemsIn(details as never) };
        };
        const outcomes: Record<string, object[]> = { api: [], bulk: [], file: [], put: [] };
        for (const [at, each] of of('api').entries()) {
          const { body } = await app.admin.post(path, each);
          outcomes.api!.push(await outcome('api', at, body.details));
        }
        const results = await bulk('create', ...of('bulk'));
        for (const at of sent.keys()) outcomes.bulk!.push(await outcome('bulk', at, results[at].error?.details));
        const columns = [...fields, 'email'];
        const quoted = (text: string) => `"${text}"`;
        const rows = of('file').map((each) => columns.map((field) => quoted(each[field as 'email'])).join(','));
        // With a byte order mark, a file may contain any characters.
        const file = Buffer.from(`\ufeff${columns.join(',')}\n${rows.join('\n')}\n`);
        const job = await runImport(app.admin, { file, garbled_text: 'keep' });
        const errors = await errorsOf(app.admin, job.id);
        for (const at of sent.keys()) {
          const own = errors.filter(({ row }) => row === at + 2);
          const details = Object.groupBy(own, ({ field }) => field!);
          outcomes.file!.push(await outcome('file', at, details));
        }
        for (const [at, { email, ...each }] of of('put').entries()) {
          const { id } = await added({ email });
          const { body } = await app.admin.put(`${path}/${id}`, each);
          const ofIt = await outcome('put', at, body.details);
          outcomes.put!.push(body.details ? { ...ofIt, values: undefined } : ofIt);
        }
        expect(outcomes.bulk).toEqual(outcomes.api);
        expect(outcomes.put).toEqual(outcomes.api);
        expect(outcomes.file).toEqual(outcomes.api);
      }),
      { numRuns: 2, examples: [[[garbled, garbled, garbled, garbled, garbled]]] },
    );
  });
});

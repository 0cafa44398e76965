// All report formats: content, and escaping of hostile documents.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { XmlDocument } from 'libxml2-wasm';
import { formatNames, formatOfFile, formats } from '../../src/report/formats.ts';
import { compareContracts, type Result } from '../../src/verdict/compare-contracts.ts';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, '../../schema/report.schema.json'), 'utf8'));
const ajv = addFormatsModule.default(new Ajv2020({ strict: false }));
const isReport = ajv.compile(schema);

/** Special characters of every format. */
const hostile = '</script><b>&amp;"\'`|*_[x](y)\u{1}\u{d800}%0A::error::\n# 100% ]]>';

const contract = (version: string, parts: { roles: string[]; limit: number; description: string; name?: string }) => ({
  openapi: '3.1.0',
  info: { title: 'T', version, 'x-webhook-payload-version': '1.0.0' },
  responseTypes: 1,
  paths: {
    '/people': {
      get: {
        operationId: 'listPeople',
        description: parts.description,
        responses: {
          '200': {
            description: 'All.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Person' } } },
          },
        },
      },
    },
  },
  webhooks: {
    hired: {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Person' } } } },
        responses: { '204': { description: 'Thanks.' } },
      },
    },
  },
  components: {
    schemas: {
      Person: {
        type: 'object',
        properties: {
          role: { type: 'string', enum: parts.roles },
          [parts.name ?? hostile]: { type: 'string', maxLength: parts.limit },
        },
      },
    },
  },
});
const before = contract('1.0.0', { roles: ['a'], limit: 5, description: 'Before.' });
const after = contract('1.1.0', { roles: ['a', 'b', 'c', hostile], limit: 9, description: hostile });

let bad: Result;
let good: Result;
beforeAll(async () => {
  bad = await compareContracts(before, after, { policy: { rules: { 'prose-changed': 'undecided' } } });
  good = await compareContracts(before, before);
});

describe('JSON report', () => {
  test('conforms to its schema', () => {
    for (const text of [formats.json.print(bad), formats.json.print(good), formats.json.fail(['no', hostile])]) {
      isReport(JSON.parse(text));
      expect(isReport.errors).toBeNull();
    }
  });

  test('contains no verdict if the comparison fails', () => {
    const text = formats.json.fail(['no']);
    expect(JSON.parse(text)).toEqual({ form: 1, compared: false, ok: false, error: ['no'] });
    expect(text).not.toContain('required');
  });

  test('lists 100 operations of a finding, and counts the rest', () => {
    const operations = Array.from({ length: 250 }, (_, index) => `GET /things/${index}`);
    const findings = bad.findings.map((finding, index) => (index === 0 ? { ...finding, operations } : finding));
    const report = JSON.parse(formats.json.print({ ...bad, findings }));
    isReport(report);
    expect(isReport.errors).toBeNull();
    expect(report.findings[0]).toMatchObject({ operations: operations.slice(0, 100), operations_left_out: 150 });
    expect(report.findings[1]).not.toHaveProperty('operations_left_out');
  });

  test('has a schema that rejects invalid reports', () => {
    for (const invalid of [
      {},
      { ...JSON.parse(formats.json.print(good)), ok: 'yes' },
      { form: 1, compared: false, ok: false, error: ['x'], findings: [] },
    ])
      expect(isReport(invalid)).toBe(false);
  });
});

describe('fingerprints', () => {
  const fingerprintsOf = (result: Result): string[] =>
    JSON.parse(formats.json.print(result)).findings.map(({ fingerprint }: { fingerprint: string }) => fingerprint);

  test('are unique, and the same in JSON and SARIF', () => {
    const all = fingerprintsOf(bad);
    expect(new Set(all).size).toBe(all.length);
    const { results } = JSON.parse(formats.sarif.print(bad)).runs[0];
    expect(
      results.map((result: { partialFingerprints: object }) => Object.values(result.partialFingerprints)[0]),
    ).toEqual(all);
  });

  test('are stable if other parts of the document change', async () => {
    const more = structuredClone(after) as typeof after & { tags: object[] };
    more.info.title = 'Other';
    Object.assign(more.paths, { '/a-new-path': { get: { responses: {} } } });
    const fingerprints = fingerprintsOf(
      await compareContracts(before, more, { policy: { rules: { 'prose-changed': 'undecided' } } }),
    );
    expect(fingerprints).toEqual(expect.arrayContaining(fingerprintsOf(bad)));
  });
});

test('SARIF report references its rules, and records whether the comparison succeeded', () => {
  const run = (text: string) => JSON.parse(text).runs[0];
  const { tool, results, invocations } = run(formats.sarif.print(bad));
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  expect(invocations[0].executionSuccessful).toBe(true);
  expect(run(formats.sarif.fail(['no']))).toMatchObject({
    results: [],
    invocations: [
      { executionSuccessful: false, toolExecutionNotifications: [{ level: 'error', message: { text: 'no' } }] },
    ],
  });
});

describe('JUnit', () => {
  const count = (text: string, path: string): number => {
    using document = XmlDocument.fromString(text);
    return document.find(path).length;
  };

  test('has a test case for each version and finding, and a failure for each blocking finding', () => {
    const text = formats.junit.print(bad);
    expect(count(text, '//testcase')).toBe(2 + bad.findings.length);
    expect(count(text, '//testcase[not(starts-with(@name, "version"))]/failure')).toBe(bad.blocking.length);
    expect(count(formats.junit.print(good), '//testcase')).toBe(2);
    expect(count(formats.junit.print(good), '//failure')).toBe(0);
  });

  test('has an error if the comparison fails', () => {
    expect(count(formats.junit.fail([hostile]), '//error')).toBe(1);
  });
});

describe('GitHub annotations', () => {
  test('take one line each, with errors for blocking findings', () => {
    const lines = formats.github.print(bad).trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) .*::./);
    expect(lines).toContainEqual(
      expect.stringMatching(/^::error file=document,line=\d+,title=limit-loosened \(major\)::/),
    );
    expect(formats.github.print(bad)).not.toMatch(/^::error::/m);
  });

  test('report a breaking change that the version allows as a warning', async () => {
    const raised = structuredClone(after);
    raised.info.version = '2.0.0';
    raised.info['x-webhook-payload-version'] = '2.0.0';
    const text = formats.github.print(await compareContracts(before, raised));
    expect(text).toMatch(/^::warning file=document,line=\d+,title=limit-loosened/m);
    expect(text).not.toMatch(/^::error/m);
  });
});

describe('HTML report', () => {
  test('is self-contained, and escapes the content of documents', () => {
    const page = formats.html.print(bad);
    expect(page).not.toMatch(/<script|<b>&amp;amp;|src=|https?:\/\//);
    expect(page).toContain('&lt;/script&gt;');
    expect(page).toContain('Failed');
    expect(formats.html.print(good)).toContain('No difference.');
    expect(formats.html.fail([hostile])).toContain('be compared');
  });

  test('has no broken internal links', () => {
    const page = formats.html.print(bad);
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
  });
});

test('Markdown report lists accepted findings with their reasons, apart from the others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contract-reports-'));
  const exceptions = join(folder, 'exceptions.yaml');
  const entries = [
    { rule: 'limit-loosened', place: '**', reason: 'Agreed *by mail*.\n<b> `<i>`', until: '2999-12-31' },
    { rule: 'enum-value-added', place: '**', reason: 'Agreed.' },
  ];
  let result: Result;
  try {
    await writeFile(exceptions, JSON.stringify(entries));
    result = await compareContracts(before, after, { exceptions });
  } finally {
    await rm(folder, { recursive: true });
  }
  // Each change affects the interface and the webhook payload, and is shown once.
  expect(result.accepted).toHaveLength(4);
  const text = formats.markdown.print(result);
  const [, count, list] =
    /<details><summary>✋ Accepted \((\d+)\)<\/summary>\n\n([\s\S]*?)\n\n<\/details>/.exec(text) ?? [];
  expect(count).toBe('2');
  const [limit, values] = list!.split('\n').sort();
  expect(values).toMatch(
    /^- GET \/people .*, Person\.role: the values .* were added \(`enum-value-added`\): Agreed\.$/,
  );
  expect(limit).toMatch(/^- GET \/people .*: maxLength changed from 5 to 9 \(`limit-loosened`\): /);
  expect(limit!.split('(`limit-loosened`): ')[1]).toBe('Agreed \\*by mail\\*. &lt;b&gt; `<i>`, until 2999-12-31');
  expect(text.replace(list!, '')).not.toMatch(/limit-loosened|enum-value-added/);
  expect(text).toContain('| Interface | 1.0.0 | 1.1.0 | none | ✅ |\n| Webhook payload | 1.0.0 | 1.0.0 | none | ✅ |');
});

test('Markdown report lists warnings, escapes the content of documents, and says that a comparison failed', async () => {
  const text = formats.markdown.print(bad);
  expect(text).toContain('Warnings');
  // Outside code fences, which show values unescaped.
  expect(text.replace(/^ +```diff\n(?: +[-+] .*\n){2} +```$/gm, '')).not.toMatch(/<\/script>|^# /m);
  expect(formats.markdown.fail(['no'])).toContain("couldn't compare");
});

test.each([
  ['a/report.json', 'json'],
  ['report.sarif', 'sarif'],
  ['report.sarif.json', 'sarif'],
  ['REPORT.HTML', 'html'],
  ['report.md', 'markdown'],
  ['report.xml', 'junit'],
  ['report.txt', 'text'],
  ['report', undefined],
])('file name %s selects format %s', (file, format) => {
  expect(formatOfFile(file)).toBe(format);
});

test('failed comparison never looks like a verdict', () => {
  for (const name of formatNames) {
    expect(formats[name].fail(['no such file'])).toContain('no such file');
    expect(formats[name].fail(['no such file'])).not.toMatch(/No difference|required|passed|✓|✅/);
  }
});

test('picture in docs/ shows the printed report', async () => {
  const home = join(import.meta.dirname, '../..');
  const at = (name: string) => join(home, 'test/picture', name);
  const text = formats.text.print(await compareContracts(at('base.yaml'), at('openapi.yaml')));
  const printed = stripVTControlCharacters(text).replaceAll(/\([^ ]*openapi\.yaml:/g, '(openapi.yaml:');
  const picture = readFileSync(join(home, 'docs/report.svg'), 'utf8');
  const visibleTexts = [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, line]) =>
    line!.replace(/<[^>]*>/g, ''),
  );
  expect(visibleTexts.slice(1)).toEqual(printed.split('\n').filter((line) => line !== ''));
});

// All report formats: required content, and escaping of hostile documents.
import { readFileSync } from 'node:fs';
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

const contract = (version: string, parts: { roles: string[]; limit: number; words: string; name?: string }) => ({
  openapi: '3.1.0',
  info: { title: 'T', version, 'x-webhook-payload-version': '1.0.0' },
  responseTypes: 1,
  paths: {
    '/people': {
      get: {
        operationId: 'listPeople',
        description: parts.words,
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
const before = contract('1.0.0', { roles: ['a'], limit: 5, words: 'Before.' });
const after = contract('1.1.0', { roles: ['a', 'b', 'c', hostile], limit: 9, words: hostile });

let bad: Result;
let good: Result;
beforeAll(async () => {
  bad = await compareContracts(before, after, { policy: { rules: { 'prose-changed': 'undecided' } } });
  good = await compareContracts(before, before);
});

describe('the machine form', () => {
  test('is as its schema says', () => {
    for (const text of [formats.json.print(bad), formats.json.print(good), formats.json.fail(['no', hostile])]) {
      isReport(JSON.parse(text));
      expect(isReport.errors).toBeNull();
    }
  });

  test('says of what could not be compared neither that nothing is required nor that all is well', () => {
    const text = formats.json.fail(['no']);
    expect(JSON.parse(text)).toEqual({ form: 1, compared: false, ok: false, error: ['no'] });
    expect(text).not.toContain('required');
  });

  test('names a hundred operations of a finding, and counts the others', () => {
    const operations = Array.from({ length: 250 }, (_, index) => `GET /things/${index}`);
    const findings = bad.findings.map((finding, index) => (index === 0 ? { ...finding, operations } : finding));
    const report = JSON.parse(formats.json.print({ ...bad, findings }));
    isReport(report);
    expect(isReport.errors).toBeNull();
    expect(report.findings[0]).toMatchObject({ operations: operations.slice(0, 100), operations_left_out: 150 });
    expect(report.findings[1]).not.toHaveProperty('operations_left_out');
  });

  test('the schema refuses what is no report', () => {
    for (const wrong of [
      {},
      { ...JSON.parse(formats.json.print(good)), ok: 'yes' },
      { form: 1, compared: false, ok: false, error: ['x'], findings: [] },
    ])
      expect(isReport(wrong)).toBe(false);
  });
});

describe('fingerprints', () => {
  const marks = (result: Result): string[] =>
    JSON.parse(formats.json.print(result)).findings.map(({ fingerprint }: { fingerprint: string }) => fingerprint);

  test('are all different, and the same in every form', () => {
    const all = marks(bad);
    expect(new Set(all).size).toBe(all.length);
    const { results } = JSON.parse(formats.sarif.print(bad)).runs[0];
    expect(
      results.map((result: { partialFingerprints: object }) => Object.values(result.partialFingerprints)[0]),
    ).toEqual(all);
  });

  test('stay when other things change around', async () => {
    const more = structuredClone(after) as typeof after & { tags: object[] };
    more.info.title = 'Other';
    Object.assign(more.paths, { '/a-new-path': { get: { responses: {} } } });
    const repeated = marks(
      await compareContracts(before, more, { policy: { rules: { 'prose-changed': 'undecided' } } }),
    );
    expect(repeated).toEqual(expect.arrayContaining(marks(bad)));
  });
});

test('SARIF says which rules were used, and whether it went well', () => {
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

  test('has a test for each version and finding, and a failure for each that stops', () => {
    const text = formats.junit.print(bad);
    expect(count(text, '//testcase')).toBe(2 + bad.findings.length);
    expect(count(text, '//testcase[not(starts-with(@name, "version"))]/failure')).toBe(bad.blocking.length);
    expect(count(formats.junit.print(good), '//testcase')).toBe(2);
    expect(count(formats.junit.print(good), '//failure')).toBe(0);
  });

  test('has an error when nothing could be compared', () => {
    expect(count(formats.junit.fail([hostile]), '//error')).toBe(1);
  });
});

describe('GitHub annotations', () => {
  test('are one line each, an error for what stops', () => {
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

describe('the page', () => {
  test('needs nothing else, and shows what documents say as text', () => {
    const page = formats.html.print(bad);
    expect(page).not.toMatch(/<script|<b>&amp;amp;|src=|https?:\/\//);
    expect(page).toContain('&lt;/script&gt;');
    expect(page).toContain('Failed');
    expect(formats.html.print(good)).toContain('No difference.');
    expect(formats.html.fail([hostile])).toContain('be compared');
  });

  test('every link within it leads somewhere', () => {
    const page = formats.html.print(bad);
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`);
  });
});

test('Markdown tells what is accepted and odd, and when nothing could be compared', async () => {
  const text = formats.markdown.print(bad);
  expect(text).toContain('Warnings');
  // Outside code fences, which show values as they are.
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
])('the ending of %s asks for %s', (file, format) => {
  expect(formatOfFile(file)).toBe(format);
});

test('no form of a failure looks like a judgement', () => {
  for (const name of formatNames) {
    expect(formats[name].fail(['no such file'])).toContain('no such file');
    expect(formats[name].fail(['no such file'])).not.toMatch(/No difference|required|passed|✓|✅/);
  }
});

test('the picture in docs/ shows what is printed', async () => {
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

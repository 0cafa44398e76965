// Validates SARIF against the OASIS schema, for any document.
import { createRequire } from 'node:module';
import { type Schema, Validator } from '@cfworker/json-schema';
import { formats } from '../../src/report/formats.ts';
import { compareContracts } from '../../src/verdict/compare-contracts.ts';
import { cases } from '../cases/all.ts';
import { day } from '../cases/case.ts';
import { documentsOf } from '../cases/mutate.ts';

// We may not redistribute the schema, but this package contains it.
const schema = createRequire(import.meta.url)('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as Schema;
const validator = new Validator(schema, '4', false);

const errorsOf = (text: string) =>
  validator.validate(JSON.parse(text)).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);

test('is the schema of SARIF 2.1.0, and refuses what is not', () => {
  expect(schema.title).toContain('(SARIF) Version 2.1.0');
  const log = JSON.parse(formats.sarif.fail(['no'])) as { runs: { results: unknown[] }[] };
  log.runs[0]!.results.push({ message: 'a text where an object must be' });
  expect(errorsOf(JSON.stringify(log))).not.toEqual([]);
  expect(errorsOf('{"version": "2.1.0"}')).not.toEqual([]);
});

test('every kind of finding, both ways, is a result as the schema says', async () => {
  const tried = new Set<string>();
  for (const one of cases) {
    if ([one.expected.rule, one.reverse.rule].every((rule) => tried.has(rule))) continue;
    const [base, revised] = documentsOf(one);
    for (const sides of [[base, revised] as const, [revised, base] as const]) {
      const result = await compareContracts(...sides, { today: day, ...(one.policy && { policy: one.policy }) });
      expect(errorsOf(formats.sarif.print(result))).toEqual([]);
      for (const { rule } of [...result.findings, ...result.accepted]) tried.add(rule);
    }
  }
  expect(tried.size).toBeGreaterThan(100);
});

test('so are names that mean something elsewhere, files of other places, warnings, and a failure', async () => {
  const hostile = '</script>"\'\\%0A\u{1}\u{d800} #?\n::error::';
  const contract = (maxLength: number) => ({
    openapi: '3.1.0',
    info: { title: hostile, version: '1.0.0' },
    [hostile]: 1,
    paths: {
      [`/${hostile}`]: {
        get: {
          responses: {
            '200': { description: hostile, content: { 'application/json': { schema: { type: 'string', maxLength } } } },
          },
        },
      },
    },
  });
  const result = await compareContracts(contract(1), contract(2));
  expect(result.warnings.length).toBeGreaterThan(0);
  for (const file of [
    'a b/ü#?.yaml',
    'main:openapi.yaml',
    'https://example.com/a?b=c',
    'C:\\contracts\\openapi.yaml',
    '-',
  ]) {
    const moved = { ...result, findings: result.findings.map((finding) => ({ ...finding, file })) };
    expect(errorsOf(formats.sarif.print(moved))).toEqual([]);
  }
  expect(
    errorsOf(
      formats.sarif.print({
        ...result,
        findings: [],
        accepted: result.findings.map((one) => ({ ...one, accepted: { reason: hostile } })),
      }),
    ),
  ).toEqual([]);
  expect(errorsOf(formats.sarif.fail([hostile]))).toEqual([]);
});

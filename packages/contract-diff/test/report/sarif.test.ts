// SARIF reports, validated against the OASIS schema.
import { createRequire } from 'node:module';
import { type Schema, Validator } from '@cfworker/json-schema';
import { rules } from '../../src/policy/rules.ts';
import { formats } from '../../src/report/formats.ts';
import { compareContracts } from '../../src/verdict/compare-contracts.ts';
import { cases } from '../cases/all.ts';
import { day } from '../cases/case.ts';
import { documentsOf } from '../cases/mutate.ts';

// Read from this package, because the license of the schema does not let us redistribute it.
const schema = createRequire(import.meta.url)('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as Schema;
const validator = new Validator(schema, '4', false);

const errorsOf = (text: string) =>
  validator.validate(JSON.parse(text)).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);

test('SARIF schema has version 2.1.0, and rejects invalid logs', () => {
  expect(schema.title).toContain('(SARIF) Version 2.1.0');
  const log = JSON.parse(formats.sarif.fail(['no'])) as { runs: { results: unknown[] }[] };
  log.runs[0]!.results.push({ message: 'a text where an object must be' });
  expect(errorsOf(JSON.stringify(log))).not.toEqual([]);
  expect(errorsOf('{"version": "2.1.0"}')).not.toEqual([]);
});

test('findings of all rules conform to the schema', async () => {
  const results = [];
  for (const one of cases.slice(0, 10)) {
    const [base, revised] = documentsOf(one);
    results.push(await compareContracts(base, revised, { today: day, ...(one.policy && { policy: one.policy }) }));
  }
  const found = results.flatMap(({ findings }) => findings);
  expect(found.length).toBeGreaterThan(5);
  // Of a rule, the report has only its id and description.
  const findings = Object.keys(rules).map((rule, at) => ({ ...found[at % found.length]!, rule }));
  expect(errorsOf(formats.sarif.print({ ...results[0]!, findings }))).toEqual([]);
});

test('special characters, unusual files, warnings, accepted findings, and errors conform to the schema', async () => {
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

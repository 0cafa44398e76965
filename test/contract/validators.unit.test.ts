/** The validators from `make generate`: Ajv's treatment of a schema must not depend on its position. */

import { bodies } from '../../generated/validators/bodies.js';
import { forms } from '../../generated/validators/forms.js';
import { parameters } from '../../generated/validators/parameters.js';
import { responses } from '../../generated/validators/responses.js';
import { contractAjv } from '../../scripts/generate/contract-ajv.ts';
import { contract, contractOperations, resolve } from '../../src/contract/contract.ts';
import { inLanguage } from '../../src/contract/languages/text.ts';
import { fieldErrors, type Validate } from '../../src/contract/validation.ts';

test('exist for the parameters of every operation, and the schema of every body', () => {
  const operations = contractOperations.map(({ operation }) => operation);
  expect(Object.keys(parameters).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  const declaredResponses = operations.flatMap((operation) => Object.values(operation.responses).map(resolve));
  const schemas = declaredResponses.flatMap(({ content }) => content?.['application/json']?.schema.$ref ?? []);
  const names = new Set(schemas.map((address) => address.split('/').at(-1)));
  expect(names.size).toBeGreaterThan(20);
  expect(new Set(Object.keys(responses))).toEqual(names);
  const sent = operations.flatMap(({ requestBody }) => requestBody?.content['application/json']?.schema.$ref ?? []);
  const sentNames = sent.map((address) => address.split('/').at(-1)!);
  expect(sentNames.length).toBeGreaterThan(20);
  expect(Object.keys(bodies)).toEqual(expect.arrayContaining(sentNames));
});

describe('match Ajv on the whole contract', () => {
  const ajv = contractAjv();
  ajv.addSchema({ components: contract.components }, 'contract');

  test.each(Object.entries(bodies))('for %s', (name, validate: Validate) => {
    const compiled = ajv.getSchema(`contract#/components/schemas/${name}`)!;
    for (const value of [null, [], 'text', {}, { unknown: 1 }, { name: null, email: 5, url: '', events: ['x'] }]) {
      const errors = fieldErrors(validate, structuredClone(value), 'body');
      expect([value, errors]).toEqual([value, fieldErrors(compiled as Validate, structuredClone(value), 'body')]);
    }
  });
});

describe('alternative fields', () => {
  const event = 'document.*';
  const url = 'https://hooks.automation.example/catch/1/';
  const id = '0199b1f0-6c2d-7e4a-b85f-3d90a7c1e264';

  test.each([
    ['PerformSubscribe', { event, target_url: url }, true],
    ['PerformSubscribe', { event, hookUrl: url }, true],
    ['PerformSubscribe', { event, target_url: url, hookUrl: url }, true],
    ['PerformSubscribe', { event }, false],
    ['PerformSubscribe', { target_url: url, hookUrl: url }, false],
    ['PerformUnsubscribe', { id }, true],
    ['PerformUnsubscribe', { target_url: url }, true],
    ['PerformUnsubscribe', { hookUrl: url }, true],
    ['PerformUnsubscribe', { id, target_url: url }, true],
    ['PerformUnsubscribe', {}, false],
  ] as const)('%s accepts what its schema does: %j is valid: %j', (name, value, right) => {
    expect(bodies[name](structuredClone(value))).toBe(right);
  });

  test('are validated by the operation, which knows the fields, and by no other schema', () => {
    const counting = Object.entries(contract.components.schemas).filter(([, schema]) => 'minProperties' in schema);
    expect(counting.map(([name]) => name).sort()).toEqual(['PerformSubscribe', 'PerformUnsubscribe']);
  });
});

test('apply defaults behind a reference', () => {
  const form = { file: {}, dry_run: 'true' };
  expect(forms.importCollaborators(form)).toBe(true);
  expect(form).toEqual({
    file: {},
    dry_run: true,
    mode: 'create',
    on_error: 'continue',
    empty_cells: 'keep',
    send_invitations: false,
    unknown_managers: 'fail',
  });
});

test('keep null where an alternative would convert it to text', () => {
  const form = { file: {}, mapping: { 'Badge number': null } };
  expect(forms.importCollaborators(form)).toBe(true);
  expect(form.mapping).toEqual({ 'Badge number': null });
});

test('report duplicate items by the first occurrence', () => {
  const errors = fieldErrors(bodies.WebhookCreate, { url: 'https://a.example', events: ['*', '*'] }, 'body');
  const message = 'Must not have the same item twice, as 0 and 1.';
  expect(inLanguage(errors, 'en')).toEqual({ events: [{ code: 'invalid_format', message }] });
});

test('report null as not clearable, and not additionally as the wrong type', () => {
  const errors = fieldErrors(bodies.CollaboratorUpdate, { name: null, status: null, salary: null }, 'body');
  const refused = [{ code: 'not_clearable', message: "This field can't be cleared." }];
  expect(inLanguage(errors, 'en')).toEqual({ name: refused, status: refused });
});

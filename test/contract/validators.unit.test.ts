/** The validators that `make generate` writes: what Ajv does with a schema must not depend on where the schema stands. */

import { bodies } from '../../generated/validators/bodies.js';
import { forms } from '../../generated/validators/forms.js';
import { parameters } from '../../generated/validators/parameters.js';
import { responses } from '../../generated/validators/responses.js';
import { contractAjv } from '../../scripts/generate/contract-ajv.ts';
import { contract, contractOperations, resolve } from '../../src/contract/contract.ts';
import { inLanguage } from '../../src/contract/languages/text.ts';
import { fieldErrors, type Validate } from '../../src/contract/validation.ts';

test('every operation has one for its parameters, and every body one of its schema', () => {
  const operations = contractOperations.map(({ operation }) => operation);
  expect(Object.keys(parameters).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  const answers = operations.flatMap((operation) => Object.values(operation.responses).map(resolve));
  const schemas = answers.flatMap(({ content }) => content?.['application/json']?.schema.$ref ?? []);
  const names = new Set(schemas.map((address) => address.split('/').at(-1)));
  expect(names.size).toBeGreaterThan(20);
  expect(new Set(Object.keys(responses))).toEqual(names);
});

describe('do the same as Ajv with the contract', () => {
  const ajv = contractAjv();
  ajv.addSchema({ components: contract.components }, 'contract');

  test.each(Object.entries(bodies))('with %s', (name, validate: Validate) => {
    const compiled = ajv.getSchema(`contract#/components/schemas/${name}`)!;
    for (const value of [null, [], 'text', {}, { unknown: 1 }, { name: null, email: 5, url: '', events: ['x'] }]) {
      const told = fieldErrors(validate, structuredClone(value), 'body');
      expect([value, told]).toEqual([value, fieldErrors(compiled as Validate, structuredClone(value), 'body')]);
    }
  });
});

describe('a choice between fields', () => {
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
  ] as const)('%s is what the schema says it is: %j is right: %j', (name, value, right) => {
    expect(bodies[name](structuredClone(value))).toBe(right);
  });

  test('is told by the operation, which knows the fields; no other schema counts them', () => {
    const counting = Object.entries(contract.components.schemas).filter(([, schema]) => 'minProperties' in schema);
    expect(counting.map(([name]) => name).sort()).toEqual(['PerformSubscribe', 'PerformUnsubscribe']);
  });
});

test('set a default that stands behind a reference', () => {
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

test('keep null where one alternative would turn it into text', () => {
  const form = { file: {}, mapping: { 'Badge number': null } };
  expect(forms.importCollaborators(form)).toBe(true);
  expect(form.mapping).toEqual({ 'Badge number': null });
});

test('say which items of a list are equal by the first that was there before', () => {
  const told = fieldErrors(bodies.WebhookCreate, { url: 'https://a.example', events: ['*', '*'] }, 'body');
  const message = 'Must not have the same item twice, as 0 and 1.';
  expect(inLanguage(told, 'en')).toEqual({ events: [{ code: 'invalid_format', message }] });
});

test('tell of null that it clears nothing, and not as well that it has the wrong type', () => {
  const told = fieldErrors(bodies.CollaboratorUpdate, { name: null, status: null, salary: null }, 'body');
  const refused = [{ code: 'not_clearable', message: "This field can't be cleared." }];
  expect(inLanguage(told, 'en')).toEqual({ name: refused, status: refused });
});

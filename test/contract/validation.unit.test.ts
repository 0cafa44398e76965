import { inLanguage } from '../../src/contract/languages/text.ts';
import { validationError } from '../../src/contract/problem.ts';
import { schemaCheck } from '../../src/contract/validation.ts';

test('a date with a time is reported as not a date, whatever its length', () => {
  const errors = schemaCheck('CollaboratorUpdate')({ hire_date: '2026-03-02T00:00:00+01:00' })!;
  expect(errors.hire_date!.map(({ code }) => code)).toEqual(['invalid_format']);
});

test('a nullable field reports only errors of the given value', () => {
  const check = schemaCheck('CollaboratorUpdate');
  expect(check({ emergency_contact: null })).toBeUndefined();
  expect(check({ emergency_contact: {} })).toBeUndefined();
  expect(inLanguage(check({ emergency_contact: 'Nuno' }), 'en')).toEqual({
    emergency_contact: [{ code: 'invalid_type', message: 'Must be an object or null.' }],
  });
  expect(inLanguage(check({ emergency_contact: { phone: 5, fax: '1' } }), 'en')).toEqual({
    'emergency_contact.phone': [{ code: 'invalid_type', message: 'Must be a text or null.' }],
    'emergency_contact.fax': [{ code: 'field_not_allowed', message: 'No field of this name is known here.' }],
  });
});

test('an unknown field names the similar one', () => {
  const check = schemaCheck('CollaboratorUpdate');
  const messages = inLanguage(check({ hireDate: '2026-03-02', depratment: 'IT', nmae: 'Ana', x: 1 }), 'en')!;
  const suggested = (name: string) => [
    { code: 'field_not_allowed', message: `No field of this name is known here. Did you mean ${name}?` },
  ];
  expect(messages).toEqual({
    hireDate: suggested('hire_date'),
    depratment: suggested('department'),
    nmae: suggested('name'),
    x: [{ code: 'field_not_allowed', message: 'No field of this name is known here.' }],
  });
});

describe('many errors', () => {
  const check = schemaCheck('CollaboratorUpdate');
  const unknown = (count: number, name = (i: number) => `k${i}`) =>
    check(Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), 1])))!;

  test('list a hundred, and mention that there are more', () => {
    const all = validationError(unknown(100));
    expect(Object.keys(all.details!)).toHaveLength(100);
    expect(all.message).not.toContain('details_truncated');
    const some = validationError(unknown(101));
    expect(Object.keys(some.details!)).toEqual(Object.keys(all.details!));
    expect(some.message).toContain('details_truncated after the first 100');
  });

  test('truncate names from the client, to keep the response small', () => {
    const { details, message } = validationError(unknown(200, (i) => `${'\0'.repeat(5_000)}${i}`));
    for (const name of Object.keys(details!)) expect(name.length).toBeLessThanOrEqual(120);
    expect(message).not.toContain('\0');
    const many = validationError(unknown(200, (i) => `${i}${'\ud800'.repeat(5_000)}`));
    expect(Buffer.byteLength(JSON.stringify(many.body()))).toBeLessThan(64 * 1024);
    expect(many.message).toContain('details_truncated');
  });
});

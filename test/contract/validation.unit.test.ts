import { schemaCheck } from '../../src/contract/validation.ts';

test('a field that may be null as well tells only what is wrong with the value that is there', () => {
  const check = schemaCheck('CollaboratorUpdate');
  expect(check({ emergency_contact: null })).toBeUndefined();
  expect(check({ emergency_contact: {} })).toBeUndefined();
  expect(check({ emergency_contact: 'Nuno' })).toEqual({
    emergency_contact: [{ code: 'invalid_type', message: 'Must be an object or null.' }],
  });
  expect(check({ emergency_contact: { phone: 5, fax: '1' } })).toEqual({
    'emergency_contact.phone': [{ code: 'invalid_type', message: 'Must be a string or null.' }],
    'emergency_contact.fax': [{ code: 'field_not_allowed', message: 'There is no such field.' }],
  });
});

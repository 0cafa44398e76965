import { isBroken } from '../../../src/platform/db/broken-constraint.ts';

const error = (code: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { code, ...more });

const unique = (name: string) => `duplicate key value violates unique constraint "${name}"`;
const foreign = (name: string) =>
  `insert or update on table "collaborators_102041" violates foreign key constraint "${name}"`;

test.each([
  ['of one Postgres', error('23505', unique('users_email_key'), { constraint: 'users_email_key' }), 'users_email_key'],
  [
    'of a part on the same machine',
    error('23505', unique('users_email_key_102044'), { constraint: 'users_email_key_102044' }),
    'users_email_key',
  ],
  ['of a part on another machine', error('23505', unique('users_email_key_102044')), 'users_email_key'],
  ['that had been sent ahead to it', error('XX000', unique('users_email_key_102044')), 'users_email_key'],
  [
    'of a key to another table there',
    error('23503', foreign('collaborators_manager_fkey_102041')),
    'collaborators_manager_fkey',
  ],
  [
    'in another language',
    error('23505', 'la valeur d’une clé dupliquée rompt la contrainte unique « users_email_key_102044 »'),
    'users_email_key',
  ],
])('recognizes the constraint in the error %s', (_, thrown, constraint) => {
  expect(isBroken(thrown, constraint)).toBe(true);
});

test.each([
  ['another constraint', error('23505', unique('collaborators_user_key_102044'))],
  ['one whose name only begins the same', error('23505', unique('users_email_keys_102044'))],
  ['one whose name only ends the same', error('23505', unique('former_users_email_key_102044'))],
  [
    'another one, whatever the message says',
    error('23505', unique('users_email_key'), { constraint: 'other_users_email_key' }),
  ],
  ['an internal error that names no part', error('XX000', unique('users_email_key'))],
  ['no constraint', error('42P01', 'relation "users_email_key" does not exist')],
  ['no error of a database', new Error(unique('users_email_key'))],
])('doesn’t recognize %s', (_, thrown) => {
  expect(isBroken(thrown, 'users_email_key')).toBe(false);
});

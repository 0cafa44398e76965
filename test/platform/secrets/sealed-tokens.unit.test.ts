import { randomBytes } from 'node:crypto';
import { openTicket, ticketOf } from '../../../src/identity/factors/challenges.ts';
import { openToken, sealToken } from '../../../src/platform/secrets/sealed-tokens.ts';
import { vault } from '../../../src/platform/secrets/secrets.ts';
import { createInstallationLinks } from '../../../src/product/connections/installation-links.ts';
import { createAddressLinks } from '../../../src/product/sign-in-address/address-links.ts';

const keys = [randomBytes(32)] as const;
const sealed = vault(keys, 'tests');
const ids = { company_id: 'c', collaborator_id: 'p', installation_id: 'i', user_id: 'u' };

test('returns its purpose, and whether it has expired', () => {
  const token = sealToken(sealed, ['a place', 'one'], ['a', 'b'], 60_000);
  expect(openToken(sealed, ['a place', 'one'], token)).toEqual({ values: ['a', 'b'], is_over: false });
  expect(openToken(sealed, ['a place', 'two'], token)).toBeUndefined();
  expect(openToken(vault(keys, 'others'), ['a place', 'one'], token)).toBeUndefined();
  const old = sealToken(sealed, ['a place'], [], -1);
  expect(openToken(sealed, ['a place'], old)).toEqual({ values: [], is_over: true });
});

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];

// base64url decoding ignores foreign characters, and the last bits of an incomplete group.
test.each([
  [
    'a link to another address',
    createAddressLinks(keys).token({ ...ids, new_address: 'a@b', old_address: 'c@d' }),
    (text: string) => createAddressLinks(keys).open(text),
  ],
  [
    'a link to an installation',
    createInstallationLinks(keys).token(ids),
    (text: string) => createInstallationLinks(keys).open(text),
  ],
  ['what a page carries', ticketOf(sealed, 'one', 'x', 60_000), (text: string) => openTicket(sealed, 'one', text)],
])('%s opens only with its exact text', (_name, token, open) => {
  expect(open(token)).toBeDefined();
  const altered = [
    `${token}.`,
    `${token}=`,
    `.${token}`,
    token.slice(1),
    token.slice(0, -1),
    '',
    `${token.slice(0, 9)}A${token.slice(10)}AAAA`,
    ...letters.filter((letter) => !token.endsWith(letter)).map((letter) => token.slice(0, -1) + letter),
  ];
  for (const text of altered) expect([text, open(text)]).toEqual([text, undefined]);
});

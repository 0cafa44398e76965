import { createCipheriv, randomBytes } from 'node:crypto';
import { deriveKey, type Place, vault } from '../../../src/platform/secrets/secrets.ts';

const key = randomBytes(32);
const newer = randomBytes(32);
const place: Place = ['webhooks', 'secrets_encrypted', 'company', 'webhook'];

/** As values were sealed before they were bound to their places. */
function unbound(text: string, id: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'webhooks'), nonce);
  const ciphertext = Buffer.concat([cipher.update(text), cipher.final()]);
  return Buffer.concat([id, nonce, cipher.getAuthTag(), ciphertext]);
}

describe('a sealed text', () => {
  const { seal, open } = vault([key], 'webhooks');

  test('opens where it was sealed, also with a newer key in front', () => {
    expect(open(seal('secret', place), place)).toBe('secret');
    expect(vault([newer, key], 'webhooks').open(seal('secret', place), place)).toBe('secret');
  });

  test.each<[string, Place]>([
    ['another row', ['webhooks', 'secrets_encrypted', 'company', 'other']],
    ['another company', ['webhooks', 'secrets_encrypted', 'other', 'webhook']],
    ['another column', ['webhooks', 'headers_encrypted', 'company', 'webhook']],
    ['another table', ['deliveries', 'secrets_encrypted', 'company', 'webhook']],
    ['parts that are cut elsewhere', ['webhooks', 'secrets_encrypted', 'companyw', 'ebhook']],
    ['fewer parts', ['webhooks', 'secrets_encrypted', 'companywebhook']],
  ])('does not open in %s', (_name, other) => {
    expect(() => open(seal('secret', place), other)).toThrow();
  });

  test('does not open for another purpose, with another key, or altered', () => {
    const sealed = seal('secret', place);
    expect(() => vault([key], 'cursors').open(sealed, place)).toThrow();
    expect(() => vault([newer], 'webhooks').open(sealed, place)).toThrow();
    for (let at = 0; at < sealed.length; at++) {
      const altered = Buffer.from(sealed);
      altered[at]! ^= 1;
      expect(() => open(altered, place)).toThrow();
    }
  });
});

test.each([
  ['with the id of its key', deriveKey(key, 'key-id').subarray(0, 8)],
  ['without', Buffer.alloc(0)],
])('what was sealed before it was bound to a place, %s, opens for the rotation alone', (_name, id) => {
  const { open, openAnyForm, key_id } = vault([newer, key], 'webhooks');
  const sealed = unbound('secret', id);
  expect(sealed.subarray(0, 8).equals(key_id)).toBe(false);
  expect(() => open(sealed, place)).toThrow();
  expect(openAnyForm(sealed, place)).toBe('secret');
});

import { randomBytes } from 'node:crypto';
import { type SealContext, UnknownKey, vault } from '../../../src/platform/secrets/secrets.ts';

const key = randomBytes(32);
const newer = randomBytes(32);
const context: SealContext = ['webhooks', 'secrets_encrypted', 'company', 'webhook'];

describe('a sealed text', () => {
  const { seal, open } = vault([key], 'webhooks');

  test('opens where it was sealed, also after adding a newer key', () => {
    expect(open(seal('secret', context), context)).toBe('secret');
    expect(vault([newer, key], 'webhooks').open(seal('secret', context), context)).toBe('secret');
  });

  test.each<[string, SealContext]>([
    ['another row', ['webhooks', 'secrets_encrypted', 'company', 'other']],
    ['another company', ['webhooks', 'secrets_encrypted', 'other', 'webhook']],
    ['another column', ['webhooks', 'headers_encrypted', 'company', 'webhook']],
    ['another table', ['deliveries', 'secrets_encrypted', 'company', 'webhook']],
    ['parts that are cut elsewhere', ['webhooks', 'secrets_encrypted', 'companyw', 'ebhook']],
    ['fewer parts', ['webhooks', 'secrets_encrypted', 'companywebhook']],
  ])('doesn’t open in %s', (_name, other) => {
    expect(() => open(seal('secret', context), other)).toThrow();
  });

  test('doesn’t open for another purpose, with another key, or modified', () => {
    const sealed = seal('secret', context);
    expect(() => vault([key], 'cursors').open(sealed, context)).toThrow();
    expect(() => vault([newer], 'webhooks').open(sealed, context)).toThrow(UnknownKey);
    for (let at = 0; at < sealed.length; at++) {
      const altered = Buffer.from(sealed);
      altered[at]! ^= 1;
      expect(() => open(altered, context)).toThrow();
    }
  });
});

/** Authenticator codes by the test vectors of RFC 6238, appendix B (SHA-1; ours are the last six of the eight digits). */
import { newTotpSecret, stepOf, totpAddress } from '../../../src/identity/factors/totp.ts';

/** "12345678901234567890" in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

const vectors: [atS: number, code: string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];

test.each(vectors)('at %d the code matches the vector', (atS, code) => {
  const step = Math.floor(atS / 30);
  const typed = code.slice(2);
  expect(stepOf(secret, typed, atS * 1_000)).toBe(step);
  expect(stepOf(secret, `${typed.slice(0, 3)} ${typed.slice(3)}`, atS * 1_000)).toBe(step);
});

test('a code is valid one step earlier and later', () => {
  const [atS, code] = [1_234_567_890, '005924'];
  const step = atS / 30;
  const found = [-2, -1, 0, 1, 2].map((steps) => stepOf(secret, code, (atS + steps * 30) * 1_000));
  expect(found).toEqual([undefined, step, step, step, undefined]);
});

test.each(['', '05924', '0005924', '00592x', '٠٠٥٩٢٤', '-05924', '5924e0'])('“%s” is not a code', (typed) => {
  expect(stepOf(secret, typed, 1_234_567_890_000)).toBeUndefined();
});

test('a secret has 160 bits, and its URI has what an app needs', () => {
  const fresh = newTotpSecret();
  expect(fresh).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpSecret()).not.toBe(fresh);
  const address = new URL(totpAddress(fresh, 'ana@example.com'));
  expect(address.protocol + decodeURIComponent(address.pathname)).toMatch(/^otpauth:.*Collaborators:ana@example\.com$/);
  expect(Object.fromEntries(address.searchParams)).toEqual({
    issuer: 'Collaborators',
    secret: fresh,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

import { randomBytes } from 'node:crypto';
import { decodeBase64, InvalidBase64 } from '../../../src/platform/files/inspect/base64.ts';

const decoded = (text: string | Buffer) => Buffer.concat([...decodeBase64(text)]);

test.each([0, 1, 2, 3, 49_151, 49_152, 49_153, 200_000])('decodes %i bytes, as text and as in JSON', (size) => {
  const bytes = randomBytes(size);
  const text = bytes.toString('base64');
  expect(decoded(text).equals(bytes)).toBe(true);
  expect(decoded(Buffer.from(text)).equals(bytes)).toBe(true);
  expect(decoded(text.replaceAll('=', '')).equals(bytes)).toBe(true);
  expect(decoded(Buffer.from(text.replaceAll('/', '\\/'))).equals(bytes)).toBe(true);
});

test.each([
  'A',
  'QUJDR',
  'QQ==QQ==',
  'Q\\nQ=',
  'QU JD',
  'QU-_',
  'näme',
  'QUJ\u0144',
  'QUJ\\/',
  `${'QUJD'.repeat(30_000)}!`,
  `QQ==${'QUJD'.repeat(30_000)}`,
])('rejects %.20s', (text) => {
  expect(() => decoded(text)).toThrow(InvalidBase64);
});

test('a backslash before anything but a slash is invalid; one at the end of a chunk waits for the next', () => {
  const slashes = Buffer.from(`A${'\\/'.repeat(100_000)}AA\\/`);
  expect(decoded(slashes)).toEqual(Buffer.from(`A${'/'.repeat(100_000)}AA/`, 'base64'));
  for (const text of ['QUJ\\', 'QUJ\\\\/', 'QU\\JD', `${'QUJD'.repeat(16_384).slice(1)}\\QUJD`]) {
    expect(() => decoded(Buffer.from(text))).toThrow(InvalidBase64);
  }
});

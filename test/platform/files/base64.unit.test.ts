import { randomBytes } from 'node:crypto';
import { decodeBase64, InvalidBase64 } from '../../../src/platform/files/base64.ts';

const decoded = (text: string | Buffer) => Buffer.concat([...decodeBase64(text)]);

test.each([0, 1, 2, 3, 49_151, 49_152, 49_153, 200_000])('%i bytes, as text and as it stands in JSON', (size) => {
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
  `${'QUJD'.repeat(30_000)}!`,
  `QQ==${'QUJD'.repeat(30_000)}`,
])('%.20s is none', (text) => {
  expect(() => decoded(text)).toThrow(InvalidBase64);
});

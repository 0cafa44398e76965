import { randomBytes } from 'node:crypto';
import { decodeBase64, InvalidBase64 } from '../../../src/platform/files/inspect/base64.ts';

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
  'QUJ\u0144',
  'QUJ\\/',
  `${'QUJD'.repeat(30_000)}!`,
  `QQ==${'QUJD'.repeat(30_000)}`,
])('%.20s is none', (text) => {
  expect(() => decoded(text)).toThrow(InvalidBase64);
});

test('a backslash that stands in front of anything but a slash is no base64; one at the end of a piece waits for it', () => {
  const slashes = Buffer.from(`A${'\\/'.repeat(100_000)}AA\\/`);
  expect(decoded(slashes)).toEqual(Buffer.from(`A${'/'.repeat(100_000)}AA/`, 'base64'));
  for (const text of ['QUJ\\', 'QUJ\\\\/', 'QU\\JD', `${'QUJD'.repeat(16_384).slice(1)}\\QUJD`]) {
    expect(() => decoded(Buffer.from(text))).toThrow(InvalidBase64);
  }
});

test('slashes that are escaped are decoded in less time than it takes to replace them in the text', () => {
  const bytes = Buffer.from('\\/'.repeat(1_000_000));
  const elapsed = (work: () => unknown) => {
    const began = performance.now();
    work();
    return performance.now() - began;
  };
  const least = { decoded: Number.POSITIVE_INFINITY, replaced: Number.POSITIVE_INFINITY };
  // In turn, and more often on a machine that is busy with other things: the least of many is what the work itself takes.
  for (let turn = 0; turn < 5 || (turn < 50 && least.decoded >= least.replaced); turn++) {
    least.replaced = Math.min(
      least.replaced,
      elapsed(() => bytes.toString('latin1').replaceAll('\\/', '/')),
    );
    least.decoded = Math.min(
      least.decoded,
      elapsed(() => decoded(bytes)),
    );
  }
  expect(least.decoded / least.replaced).toBeLessThan(1);
});

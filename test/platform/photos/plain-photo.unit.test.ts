/** Checks of a photo's structure before decoding. */
import sharp from 'sharp';
import { sanitizePhoto } from '../../../src/platform/photos/plain-photo.ts';
import {
  blackPng,
  jpegOfScans,
  jpegSegment,
  type PngKind,
  pngChunk,
  pngFile,
  pngHeader,
  pngOfProfile,
  pngOfTexts,
} from '../../helpers/hostile-photos.ts';
import { processorTime } from '../../helpers/timing.ts';

const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: '#3377cc' } });

/** A header that declares more pixels than follow. */
async function png(width: number, height: number, kind?: PngKind): Promise<Buffer> {
  const { length } = pngHeader(width, height);
  const small = await blackPng(8, 8, kind);
  return Buffer.concat([small.subarray(0, 8), pngHeader(width, height, kind), small.subarray(8 + length)]);
}

async function jpeg(width: number, height: number): Promise<Buffer> {
  const bytes = await picture.clone().jpeg().toBuffer();
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

async function webp(width: number, height: number): Promise<Buffer> {
  const bytes = await picture.clone().webp().toBuffer();
  const frame = bytes.indexOf('VP8 ') + 8;
  bytes.writeUInt16LE(width, frame + 6);
  bytes.writeUInt16LE(height, frame + 8);
  return bytes;
}

async function losslessWebp(width: number, height: number): Promise<Buffer> {
  const bytes = await picture.clone().webp({ lossless: true }).toBuffer();
  bytes.writeUInt32LE(width - 1 + (height - 1) * 2 ** 14, bytes.indexOf('VP8L') + 9);
  return bytes;
}

describe('rejects', () => {
  const profile = jpegSegment(0xe2, Buffer.from(`ICC_PROFILE\0${'x'.repeat(60_000)}`));
  const withProfiles = async (count: number) => {
    const bytes = await picture.clone().jpeg().toBuffer();
    return Buffer.concat([bytes.subarray(0, 2), ...Array<Buffer>(count).fill(profile), bytes.subarray(2)]);
  };

  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['a PNG of 900 million pixels', () => png(30_000, 30_000, { depth: 1, color: 0 }), /50 million pixels/],
    ['a JPEG of 81 million', () => jpeg(9_000, 9_000), /50 million pixels/],
    ['a WebP of 100 million', () => webp(10_000, 10_000), /50 million pixels/],
    ['a lossless WebP of 100 million', () => losslessWebp(10_000, 10_000), /50 million pixels/],
    ['49 million in 16 bits', () => png(7_000, 7_000, { depth: 16 }), /decoded photo takes more than 200 MB/],
    ['the same, interlaced', () => png(7_000, 7_000, { depth: 16, color: 6, interlaced: true }), /more than 200 MB/],
    ['a JPEG of 101 scans', () => jpegOfScans(64, 64, 101), /more than 100 scans/],
    ['a color profile of 20 MB in 20 KB', () => pngOfProfile(20_000_000), /1 MB of metadata/],
    ['a JPEG with color profiles of 1.2 MB', () => withProfiles(20), /1 MB of metadata/],
    [
      'a PNG without a picture',
      () => Buffer.concat([pngFile(pngHeader(8, 8), [], Buffer.alloc(0)).subarray(0, 33)]),
      /damaged/,
    ],
    ['a JPEG that ends in its head', async () => (await jpeg(60, 40)).subarray(0, 200), /damaged/],
    ['a WebP that ends early', async () => (await webp(60, 40)).subarray(0, 60), /damaged/],
  ])('%s', async (_, make, message) => {
    const photo = await make();
    expect(() => sanitizePhoto(photo)).toThrow(message);
  });
});

describe('passes on', () => {
  test('no texts, and only the first frame of an animation', async () => {
    const bomb = await pngOfTexts('zTXt', 40);
    const plain = sanitizePhoto(bomb).bytes;
    expect(plain.length).toBeLessThan(bomb.length / 100);
    expect(plain.includes('zTXt')).toBe(false);
    const frames = await Promise.all([picture, picture.clone().negate()].map((each) => each.clone().png().toBuffer()));
    const moving = await sharp(frames, { join: { animated: true } })
      .webp({ delay: [9, 9] })
      .toBuffer();
    expect(moving.toString('latin1').split('ANMF')).toHaveLength(3);
    expect(sanitizePhoto(moving).bytes.toString('latin1').split('ANMF')).toHaveLength(2);
  });

  test('orientation, color profile, and color space', async () => {
    const described = picture
      .clone()
      .withIccProfile('p3')
      .withMetadata({ orientation: 6 })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const photo = await described.clone().toFormat(format).toBuffer();
      const { orientation, icc, xmp } = await sharp(sanitizePhoto(photo).bytes).metadata();
      expect({ orientation, icc: icc !== undefined, xmp }).toEqual({ orientation: 6, icc: true, xmp: undefined });
    }
    const cmyk = await picture.clone().toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(sanitizePhoto(cmyk).bytes).metadata()).space).toBe('cmyk');
  });

  test('unmodified image data', async () => {
    for (const photo of [
      await picture.clone().jpeg({ progressive: true }).toBuffer(),
      await picture.clone().png({ palette: true }).toBuffer(),
      await picture.clone().ensureAlpha(0.5).png({ progressive: true }).toBuffer(),
      await picture.clone().ensureAlpha(0.5).webp().toBuffer(),
      await picture.clone().webp({ lossless: true }).toBuffer(),
    ]) {
      const before = await sharp(photo).raw().toBuffer();
      expect((await sharp(sanitizePhoto(photo).bytes).raw().toBuffer()).equals(before)).toBe(true);
    }
  });
});

test('costs about one pass over the bytes, for any number of chunks', async () => {
  const bytes = 5_000_000;
  const control = await processorTime(() => {
    const zeros = Buffer.alloc(bytes);
    for (let round = 0; round < 20; round++) for (let at = 0; at < bytes; at++) if (zeros[at] === 1) throw new Error();
  });
  const chunks = Array<Buffer>(400_000).fill(pngChunk('tEXt'));
  const segment = Buffer.from([0xff, 0xed, 0, 2]);
  for (const photo of [
    pngFile(pngHeader(8, 8), chunks, Buffer.alloc(0)),
    Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      ...Array<Buffer>(bytes / 4).fill(segment),
      (await jpeg(60, 40)).subarray(2),
    ]),
    Buffer.concat([(await jpeg(60, 40)).subarray(0, -2), Buffer.alloc(bytes, 0xff)]),
    Buffer.concat([(await jpeg(60, 40)).subarray(0, -2), Buffer.alloc(bytes, Buffer.from([0xff, 0xd0]))]),
  ]) {
    expect(await processorTime(() => sanitizePhoto(photo))).toBeLessThan(10 * control + 1_000);
  }
});

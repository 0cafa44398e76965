import sharp from 'sharp';
import { Text } from '../../../src/contract/languages/text.ts';
import { PhotoDecoders } from '../../../src/platform/photos/decoders.ts';
import { maxPhotoBytes, processPhoto } from '../../../src/platform/photos/photo.ts';
import { jpegSegment, pngChunk } from '../../helpers/hostile-photos.ts';
import { pdf, program } from '../files/samples.ts';

const decoders = new PhotoDecoders();
afterAll(() => decoders.stop());

const avatar = (photo: Buffer) => processPhoto(decoders, photo, { company_id: 'a', field: 'file' });

const red = { r: 220, g: 30, b: 30 };
const blue = { r: 30, g: 30, b: 220 };

/** Left half red, right half blue. */
function halves(width: number, height: number) {
  const half = { width: width / 2, height, channels: 3 as const };
  return sharp({ create: { width, height, channels: 3, background: red } }).composite([
    { input: { create: { ...half, background: blue } }, left: width / 2, top: 0 },
  ]);
}

async function colorAt(picture: Buffer, left: number, top: number): Promise<'red' | 'blue' | 'other'> {
  const { data } = await sharp(picture)
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [r, , b] = data as unknown as [number, number, number];
  return r > 150 && b < 100 ? 'red' : b > 150 && r < 100 ? 'blue' : 'other';
}

const refusal = {
  status: 400,
  code: 'validation_error',
  details: { file: [{ code: 'invalid_format', message: expect.any(Text) }] },
};

describe('makes 512×512 WebP', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('from %s', async (format) => {
    const picture = await avatar(await halves(800, 600).toFormat(format).toBuffer());
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512, space: 'srgb' });
  });

  test('from smaller, wider, and taller images without distortion', async () => {
    for (const [width, height] of [
      [20, 20],
      [3_000, 400],
      [400, 3_000],
    ] as const) {
      const picture = await avatar(await halves(width, height).png().toBuffer());
      expect(await sharp(picture).metadata()).toMatchObject({ width: 512, height: 512 });
      expect(await colorAt(picture, 100, 256)).toBe('red');
      expect(await colorAt(picture, 412, 256)).toBe('blue');
    }
  });

  test('from transparent, gray, and 16-bit images', async () => {
    const clear = sharp({ create: { width: 50, height: 50, channels: 4, background: { ...red, alpha: 0.5 } } });
    for (const input of [
      await clear.png().toBuffer(),
      await halves(60, 60).greyscale().png().toBuffer(),
      await halves(60, 60).toColourspace('rgb16').png().toBuffer(),
      await halves(60, 60).toColourspace('cmyk').jpeg().toBuffer(),
    ]) {
      expect(await sharp(await avatar(input)).metadata()).toMatchObject({
        width: 512,
        space: 'srgb',
        depth: 'uchar',
      });
    }
  });
});

test('rotates by the EXIF orientation', async () => {
  // 6 means rotate by 90° clockwise, so the left half becomes the top.
  const input = await halves(400, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect((await sharp(input).metadata()).orientation).toBe(6);
  const picture = await avatar(input);
  expect(await colorAt(picture, 256, 100)).toBe('red');
  expect(await colorAt(picture, 256, 412)).toBe('blue');
  expect((await sharp(picture).metadata()).orientation).toBeUndefined();
});

test('strips place, time, and other metadata', async () => {
  const input = await halves(400, 400)
    .withExif({
      IFD0: { Make: 'Camera-Maker', Copyright: 'Somebody' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '41/1 9/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '8/1 37/1 0/1' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret>here</secret></x:xmpmeta>')
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  const before = await sharp(input).metadata();
  expect(before.exif?.includes('Camera-Maker')).toBe(true);
  expect(before.xmp).toBeDefined();
  const picture = await avatar(input);
  const { exif, xmp, iptc, icc } = await sharp(picture).metadata();
  expect({ exif, xmp, iptc, icc }).toEqual({});
  expect(picture.includes('Camera-Maker')).toBe(false);
  expect(picture.includes('EXIF')).toBe(false);
});

test('uses the first frame of an animation', async () => {
  const frames = await Promise.all(
    [red, blue].map((background) =>
      sharp({ create: { width: 60, height: 60, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const input = await sharp(frames, { join: { animated: true } })
    .webp({ delay: [100, 100] })
    .toBuffer();
  expect((await sharp(input, { animated: true }).metadata()).pages).toBe(2);
  const picture = await avatar(input);
  expect((await sharp(picture, { animated: true }).metadata()).pages ?? 1).toBe(1);
  expect(await colorAt(picture, 256, 256)).toBe('red');
});

describe('accepts what viewers display', () => {
  const frames = async () => {
    const base = { width: 60, height: 60, channels: 3 as const };
    return Promise.all(
      [red, blue].map((background) =>
        sharp({ create: { ...base, background } })
          .png()
          .toBuffer(),
      ),
    );
  };

  test('such as the first frame of an animated PNG', async () => {
    const [first, second] = await frames();
    const animated = pngWith(first!, (chunks) => [
      chunks[0]!,
      pngChunk('acTL', Buffer.from('0000000200000000', 'hex')),
      pngChunk('fcTL', Buffer.from('000000000000003c0000003c0000000000000000006400640000', 'hex')),
      ...chunks.slice(1, -1),
      pngChunk('fcTL', Buffer.from('000000010000003c0000003c0000000000000000006400640000', 'hex')),
      pngChunk('fdAT', Buffer.concat([Buffer.from([0, 0, 0, 2]), second!])),
      chunks.at(-1)!,
    ]);
    expect(await colorAt(await avatar(animated), 256, 256)).toBe('red');
  });

  test('such as a JPEG with missing or extra bytes at the end', async () => {
    const baseline = await halves(640, 480).jpeg().toBuffer();
    const progressive = await halves(640, 480).jpeg({ progressive: true }).toBuffer();
    for (const whole of [baseline, progressive]) {
      for (const cut of [1, 2, 3, 12]) {
        expect(await colorAt(await avatar(whole.subarray(0, whole.length - cut)), 412, 400)).toBe('blue');
      }
      await expect(avatar(Buffer.concat([whole, Buffer.alloc(100_000, 0xff)]))).resolves.toBeInstanceOf(Buffer);
    }
  });

  test('such as megabytes of metadata', async () => {
    const texts = Array<Buffer>(40).fill(pngChunk('tEXt', Buffer.alloc(100_000, 'x')));
    const png = pngWith(await halves(60, 60).png().toBuffer(), ([head, ...chunks]) => [head!, ...texts, ...chunks]);
    const xmp = jpegSegment(0xe1, Buffer.from(`http://ns.adobe.com/xmp/extension/\0${'x'.repeat(60_000)}`));
    const jpeg = await halves(60, 60).jpeg().toBuffer();
    const described = Buffer.concat([jpeg.subarray(0, 2), ...Array<Buffer>(50).fill(xmp), jpeg.subarray(2)]);
    for (const photo of [png, described]) {
      expect(photo.length).toBeGreaterThan(2_000_000);
      expect(await colorAt(await avatar(photo), 100, 256)).toBe('red');
    }
  });

  test('such as the colors of a profile', async () => {
    const wide = await halves(60, 60).withIccProfile('p3').png().toBuffer();
    const { data } = await sharp(await avatar(wide))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const plain = pngWith(wide, (chunks) => chunks.filter((chunk) => chunk.toString('latin1', 4, 8) !== 'iCCP'));
    const { data: without } = await sharp(await avatar(plain))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data.equals(without)).toBe(false);
  });
});

function pngWith(png: Buffer, change: (chunks: Buffer[]) => Buffer[]): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 8; at < png.length; at += chunks.at(-1)!.length) {
    chunks.push(png.subarray(at, at + 12 + png.readUInt32BE(at)));
  }
  return Buffer.concat([png.subarray(0, 8), ...change(chunks)]);
}

describe('rejects', () => {
  test('HEIC, with advice', async () => {
    const heic = Buffer.from('0000001c66747970686569630000000068656963686569786d696631', 'hex');
    const [error] = await avatar(heic).then(
      () => [],
      (problem) => problem.details.file,
    );
    expect(String(error.message)).toMatch(/HEIC .* Save the photo as JPEG/);
  });

  test('non-images and unsupported formats', async () => {
    const gif = await halves(20, 20).gif().toBuffer();
    const tiff = await halves(20, 20).tiff().toBuffer();
    const avif = await halves(20, 20).avif().toBuffer();
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10"/></svg>',
    );
    for (const input of [
      Buffer.alloc(0),
      Buffer.from('x'),
      Buffer.from('\x89PNG'),
      program(),
      pdf(),
      svg,
      gif,
      tiff,
      avif,
    ]) {
      await expect(avatar(input)).rejects.toMatchObject(refusal);
    }
  });

  test('corrupt images', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const whole = await halves(300, 300).toFormat(format).toBuffer();
      await expect(avatar(whole.subarray(0, whole.length / 2))).rejects.toMatchObject(refusal);
      await expect(avatar(whole.subarray(0, 40))).rejects.toMatchObject(refusal);
    }
  });

  test('more than 5 MB', async () => {
    await expect(avatar(Buffer.alloc(maxPhotoBytes + 1))).rejects.toMatchObject({
      status: 413,
      code: 'payload_too_large',
    });
  });
});

import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { Text } from '../../../src/contract/languages/text.ts';
import { createGate } from '../../../src/platform/files/gate.ts';
import { max_photo_bytes, processPhoto } from '../../../src/platform/files/photo.ts';
import { processorTime } from '../../helpers/pace.ts';
import { pdf, program } from './samples.ts';

const red = { r: 220, g: 30, b: 30 };
const blue = { r: 30, g: 30, b: 220 };

/** Left half red, right half blue. */
function halves(width: number, height: number) {
  const half = { width: width / 2, height, channels: 3 as const };
  return sharp({ create: { width, height, channels: 3, background: red } }).composite([
    { input: { create: { ...half, background: blue } }, left: width / 2, top: 0 },
  ]);
}

async function colourAt(picture: Buffer, left: number, top: number): Promise<'red' | 'blue' | 'other'> {
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

describe('makes 512×512 webp', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('of %s', async (format) => {
    const picture = await processPhoto(await halves(800, 600).toFormat(format).toBuffer());
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512, space: 'srgb' });
  });

  test('of pictures smaller, wider and higher than that, without distorting them', async () => {
    for (const [width, height] of [
      [20, 20],
      [3_000, 400],
      [400, 3_000],
    ] as const) {
      const picture = await processPhoto(await halves(width, height).png().toBuffer());
      expect(await sharp(picture).metadata()).toMatchObject({ width: 512, height: 512 });
      expect(await colourAt(picture, 100, 256)).toBe('red');
      expect(await colourAt(picture, 412, 256)).toBe('blue');
    }
  });

  test('of one that is transparent, grey, or has 16 bits', async () => {
    const clear = sharp({ create: { width: 50, height: 50, channels: 4, background: { ...red, alpha: 0.5 } } });
    for (const input of [
      await clear.png().toBuffer(),
      await halves(60, 60).greyscale().png().toBuffer(),
      await halves(60, 60).toColourspace('rgb16').png().toBuffer(),
      await halves(60, 60).toColourspace('cmyk').jpeg().toBuffer(),
    ]) {
      expect(await sharp(await processPhoto(input)).metadata()).toMatchObject({
        width: 512,
        space: 'srgb',
        depth: 'uchar',
      });
    }
  });
});

test('turns a picture upright as its camera says', async () => {
  // 6: the picture has to be turned by 90° to the right, so its left half comes to the top.
  const input = await halves(400, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer();
  expect((await sharp(input).metadata()).orientation).toBe(6);
  const picture = await processPhoto(input);
  expect(await colourAt(picture, 256, 100)).toBe('red');
  expect(await colourAt(picture, 256, 412)).toBe('blue');
  expect((await sharp(picture).metadata()).orientation).toBeUndefined();
});

test('leaves nothing of where and when it was taken', async () => {
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
  const picture = await processPhoto(input);
  const { exif, xmp, iptc, icc } = await sharp(picture).metadata();
  expect({ exif, xmp, iptc, icc }).toEqual({});
  expect(picture.includes('Camera-Maker')).toBe(false);
  expect(picture.includes('EXIF')).toBe(false);
});

test('takes the first picture of an animation', async () => {
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
  const picture = await processPhoto(input);
  expect((await sharp(picture, { animated: true }).metadata()).pages ?? 1).toBe(1);
  expect(await colourAt(picture, 256, 256)).toBe('red');
});

describe('refuses', () => {
  test('what is no picture, or one of another kind', async () => {
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
      await expect(processPhoto(input)).rejects.toMatchObject(refusal);
    }
  });

  test('broken pictures', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const whole = await halves(300, 300).toFormat(format).toBuffer();
      await expect(processPhoto(whole.subarray(0, whole.length / 2))).rejects.toMatchObject(refusal);
      await expect(processPhoto(whole.subarray(0, 40))).rejects.toMatchObject(refusal);
    }
  });

  test('pictures that unpack to gigabytes, at once and without memory', async () => {
    const bomb = pngOf(30_000, 30_000); // 900 million pixels, in 110 KB
    expect(bomb.length).toBeLessThan(200_000);
    const before = process.memoryUsage().rss;
    const work = () =>
      expect(processPhoto(bomb)).rejects.toMatchObject({
        ...refusal,
        details: { file: [{ code: 'invalid_format', message: expect.objectContaining({ values: [50] }) }] },
      });
    expect(await processorTime(work)).toBeLessThan(3_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });

  test('more than 5 MB', async () => {
    await expect(processPhoto(Buffer.alloc(max_photo_bytes + 1))).rejects.toMatchObject({
      status: 413,
      code: 'payload_too_large',
    });
  });
});

test('many at once are all done, two at a time', async () => {
  const input = await halves(2_000, 2_000).jpeg().toBuffer();
  const working: number[] = [];
  const watch = setInterval(() => working.push(sharp.counters().process), 1);
  const pictures = await Promise.all(Array.from({ length: 12 }, () => processPhoto(input)));
  clearInterval(watch);
  expect(pictures).toHaveLength(12);
  expect(Math.max(...working)).toBeLessThanOrEqual(2);
  expect(Math.max(...working)).toBeGreaterThan(0);
});

test('who comes when too many wait is sent away, and the next after that is let in', async () => {
  const gate = createGate(1, 1);
  const first = await gate.enter();
  const second = gate.enter();
  expect(await gate.enter()).toBeUndefined();
  first!();
  first!(); // twice is once
  const leave = await second;
  expect(leave).toBeDefined();
  const third = gate.enter();
  leave!();
  (await third)!();
});

/** A black picture of 1 bit a pixel. */
function pngOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

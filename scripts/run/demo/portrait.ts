/** Draws photos of fictional people: a colored figure as PNG (ISO/IEC 15948), derived from the name. */
import { crc32, deflateSync } from 'node:zlib';

const sidePx = 192;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

type Color = readonly [red: number, green: number, blue: number];

/** @param hue of the background, in degrees */
export function portrait(hue: number): Buffer {
  const palette = [
    color(hue, 0.42, 0.72),
    color(hue + 150, 0.45, 0.4),
    color(28 + (hue % 12), 0.4, 0.3 + (hue % 50) / 100),
  ];
  const rows = Buffer.alloc(sidePx * (sidePx + 1)); // each row starts with its filter type: none
  for (let y = 0; y < sidePx; y++) {
    for (let x = 0; x < sidePx; x++) rows[y * (sidePx + 1) + x + 1] = partAt(x / sidePx, y / sidePx);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(sidePx, 0);
  header.writeUInt32BE(sidePx, 4);
  header.set([8, 3], 8); // 8 bits per pixel, indexed color
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Background, shoulders, or head. */
function partAt(x: number, y: number): 0 | 1 | 2 {
  if (Math.hypot(x - 0.5, (y - 0.4) * 0.9) < 0.18) return 2;
  return Math.hypot((x - 0.5) / 0.34, (y - 1) / 0.36) < 1 ? 1 : 0;
}

/** @param hue in degrees @param saturation from 0 to 1 @param lightness from 0 to 1 */
function color(hue: number, saturation: number, lightness: number): Color {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const k = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** What a picture of a page shows, to whoever looks at it with a phone or a program. */
import type { Locator } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';

/** @returns what a phone reads when it is held in front of it, by another library than the one that draws it */
export async function scanned(drawn: Locator): Promise<string> {
  const picture = sharp(await drawn.screenshot())
    .ensureAlpha()
    .raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) });
}

/** Reads what screenshots of a page show. */
import type { Locator } from 'playwright-core';
import { decodeQR } from 'qr/decode.js';
import sharp from 'sharp';

/** @returns the content of a QR code, decoded by a different library than the one that draws it */
export async function scanQrCode(element: Locator): Promise<string> {
  const picture = sharp(await element.screenshot())
    .ensureAlpha()
    .raw();
  const { data, info } = await picture.toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data: new Uint8Array(data) });
}

/**
 * Looks at the structure of a photo before anything is decoded: what it is by its first bytes, how much it asks for, and
 * what of it the decoder gets.
 */
import { say } from '../../contract/languages/text.ts';
import { isJpeg, type PlainJpeg, plainJpeg } from './jpeg.ts';
import { PhotoError } from './limits.ts';
import { isPng, plainPng } from './png.ts';
import { isWebp, plainWebp } from './webp.ts';

/** The same picture with what it needs and nothing else. */
export type PlainPhoto = PlainJpeg;

/** @throws PhotoError for what is no photo, is damaged, or asks for too much */
export function plainPhoto(bytes: Buffer): PlainPhoto {
  if (isJpeg(bytes)) return plainJpeg(bytes);
  if (isPng(bytes)) return { bytes: plainPng(bytes), is_strict: false };
  if (isWebp(bytes)) return { bytes: plainWebp(bytes), is_strict: false };
  if (isHeic(bytes)) throw new PhotoError(say`HEIC photos are not supported. Save the photo as JPEG.`);
  throw new PhotoError(say`The photo must be JPEG, PNG or WebP.`);
}

/** The container has other pictures too: its brands say whether they are HEVC, which the library is built without. */
function isHeic(bytes: Buffer): boolean {
  if (bytes.length < 12 || bytes.toString('latin1', 4, 8) !== 'ftyp') return false;
  const brands = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256));
  return /^(?:.{4})*?hei[cxms]/s.test(brands) || /^(?:.{4})*?hev[cx]/s.test(brands);
}

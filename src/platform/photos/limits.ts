/** Limits of photos, and the errors of exceeding them. */
import { type Text, t } from '../../contract/languages/text.ts';

/** Cameras have up to 50 megapixels. */
const maxPixels = 50_000_000;
/** Of all decoded pixels: the library keeps an interlaced picture in memory. */
const maxDecodedMb = 200;
/** Cameras and phones write up to a dozen. */
const maxScans = 100;
/** Of metadata passed to the library; the rest is dropped, whatever its size. */
const maxMetadataMb = 1;

const mb = 1024 * 1024;
export const maxMetadataBytes = maxMetadataMb * mb;

export class PhotoError extends Error {
  override name = 'PhotoError';
  readonly text: Text;

  constructor(text: Text) {
    super(String(text));
    this.text = text;
  }
}

export function damagedPhoto(): PhotoError {
  return new PhotoError(t`The photo is damaged and can't be read.`);
}

/** @param pixelBytes bytes per decoded pixel */
export function refuseSize(width: number, height: number, pixelBytes: number): void {
  if (width === 0 || height === 0) throw damagedPhoto();
  if (width * height > maxPixels) {
    throw new PhotoError(t`The photo has more than ${maxPixels / 1_000_000} million pixels.`);
  }
  if (width * height * pixelBytes > maxDecodedMb * mb) {
    const text = t`The decoded photo takes more than ${maxDecodedMb} MB. Make it smaller, or save it with 8 bits per channel.`;
    throw new PhotoError(text);
  }
}

export function refuseScans(count: number): void {
  if (count > maxScans) {
    throw new PhotoError(t`The photo has more than ${maxScans} scans. Save it again as JPEG.`);
  }
}

/** @param bytes of all metadata to pass on, unpacked */
export function refuseMetadata(bytes: number): void {
  if (bytes > maxMetadataBytes) {
    throw new PhotoError(t`The photo has more than ${maxMetadataMb} MB of metadata. Save it again without metadata.`);
  }
}

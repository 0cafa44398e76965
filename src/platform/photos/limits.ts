/** Limits of photos, and the errors of exceeding them. */
import { say, type Text } from '../../contract/languages/text.ts';

/** Cameras have up to 50 megapixels. */
const mostPixels = 50_000_000;
/** Of all decoded pixels: the library keeps an interlaced picture in memory. */
const mostDecodedMb = 200;
/** Cameras and phones write up to a dozen. */
const mostScans = 100;
/** Of metadata passed to the library; the rest is dropped, whatever its size. */
const mostMetadataMb = 1;

const mb = 1024 * 1024;
export const mostMetadataBytes = mostMetadataMb * mb;

export class PhotoError extends Error {
  override name = 'PhotoError';
  readonly text: Text;

  constructor(text: Text, cause?: unknown) {
    super(String(text), { cause });
    this.text = text;
  }
}

export function damagedPhoto(cause?: unknown): PhotoError {
  return new PhotoError(say`The photo is damaged and can't be read.`, cause);
}

/** @param pixelBytes bytes per decoded pixel */
export function refuseSize(width: number, height: number, pixelBytes: number): void {
  if (width === 0 || height === 0) throw damagedPhoto();
  if (width * height > mostPixels) {
    throw new PhotoError(say`The photo has more than ${mostPixels / 1_000_000} million pixels.`);
  }
  if (width * height * pixelBytes > mostDecodedMb * mb) {
    const text = say`The decoded photo takes more than ${mostDecodedMb} MB. Make it smaller, or save it with 8 bits per channel.`;
    throw new PhotoError(text);
  }
}

export function refuseScans(count: number): void {
  if (count > mostScans) {
    throw new PhotoError(say`The photo has more than ${mostScans} scans. Save it again as JPEG.`);
  }
}

/** @param bytes of all metadata to pass on, unpacked */
export function refuseMetadata(bytes: number): void {
  if (bytes > mostMetadataBytes) {
    throw new PhotoError(
      say`The photo has more than ${mostMetadataMb} MB of metadata. Save it again without metadata.`,
    );
  }
}

/** How much a photo may ask for, and how one that asks for more is refused. */
import { say, type Text } from '../../contract/languages/text.ts';

/** Cameras make up to 50 million pixels. */
const mostPixels = 50_000_000;
/** Of all pixels, as the decoder holds them: the library keeps an interlaced picture whole. */
const mostDecodedMb = 200;
/** Cameras and phones write up to a dozen. */
const mostScans = 100;
/** Of what is handed on to the library; everything else is left out, however large it is. */
const mostMetadataMb = 1;

const mb = 1024 * 1024;
export const mostMetadataBytes = mostMetadataMb * mb;

/** Why a photo is refused. */
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

/** @param pixelBytes of a decoded pixel */
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

/** @param bytes of all metadata that would be handed on, unpacked */
export function refuseMetadata(bytes: number): void {
  if (bytes > mostMetadataBytes) {
    throw new PhotoError(
      say`The photo has more than ${mostMetadataMb} MB of metadata. Save it again without metadata.`,
    );
  }
}

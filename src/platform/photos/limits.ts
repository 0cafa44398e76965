/** How much a photo may ask for, and how one that asks for more is refused. */
import { say, type Text } from '../../contract/languages/text.ts';

/** Cameras make up to 50 million pixels. */
const most_pixels = 50_000_000;
/** Of all pixels, as the decoder holds them: the library keeps an interlaced picture whole. */
const most_decoded_mb = 200;
/** Cameras and phones write up to a dozen. */
const most_scans = 100;
/** Of what is handed on to the library; everything else is left out, however large it is. */
const most_metadata_mb = 1;

const mb = 1024 * 1024;
export const most_metadata_bytes = most_metadata_mb * mb;

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
  return new PhotoError(say`The photo is damaged and can not be read.`, cause);
}

/** @param pixel_bytes of a decoded pixel */
export function refuseSize(width: number, height: number, pixel_bytes: number): void {
  if (width === 0 || height === 0) throw damagedPhoto();
  if (width * height > most_pixels) {
    throw new PhotoError(say`The photo has more than ${most_pixels / 1_000_000} million pixels.`);
  }
  if (width * height * pixel_bytes > most_decoded_mb * mb) {
    const text = say`The photo takes more than ${most_decoded_mb} MB when it is decoded. Make it smaller, or save it with 8 bits per channel.`;
    throw new PhotoError(text);
  }
}

export function refuseScans(count: number): void {
  if (count > most_scans) {
    throw new PhotoError(say`The photo has more than ${most_scans} scans. Save it again as JPEG.`);
  }
}

/** @param bytes of all metadata that would be handed on, unpacked */
export function refuseMetadata(bytes: number): void {
  if (bytes > most_metadata_bytes) {
    throw new PhotoError(
      say`The photo has more than ${most_metadata_mb} MB of metadata. Save it again without metadata.`,
    );
  }
}

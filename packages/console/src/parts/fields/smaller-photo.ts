/**
 * Shrinks photos before upload: phone photos exceed the service's size limit, and it keeps only a 512-pixel square. Formats that
 * only the browser reads, such as HEIC in Safari, become JPEG.
 */
import { ExplainedError } from '../errors/explained-error.ts';
import { t } from '../translate.ts';

/** Pixels of the shorter side: twice what the service keeps. */
const shortSide = 1_024;
/** Smaller files in a supported format are sent unchanged. */
const smallBytes = 512 * 1024;
const supportedTypes = ['image/jpeg', 'image/png', 'image/webp'];

/** @throws ExplainedError for a HEIC photo that the browser can't decode */
export async function smallerPhoto(file: File): Promise<File> {
  const isKnown = supportedTypes.includes(file.type);
  if (isKnown && file.size <= smallBytes) return file;
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file); // applies the EXIF orientation
  } catch {
    if (isHeic(file)) {
      throw new ExplainedError(
        t`This browser can't read HEIC photos. Save the photo as JPEG, or choose it in Safari or on the phone that took it.`,
      );
    }
    return file; // let the service report the error
  }
  return resize(picture, file);
}

function isHeic({ type, name }: File): boolean {
  return /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
}

async function resize(picture: ImageBitmap, file: File): Promise<File> {
  const { width, height } = picture;
  const scale = Math.min(1, shortSide / Math.min(width, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  // PNG keeps transparency.
  const type = file.type === 'image/png' ? 'image/png' : 'image/jpeg';
  const blob = await canvas.convertToBlob({ type, quality: 0.9 });
  const name = `${file.name.replace(/\.[^.]*$/, '')}.${type === 'image/png' ? 'png' : 'jpg'}`;
  return new File([blob], name, { type });
}

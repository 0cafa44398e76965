/**
 * Photos as phones take them, made small enough to be sent: the service keeps a square of 512 pixels, and phones make more than it
 * takes. What the browser can read, HEIC in Safari, becomes a JPEG.
 */
import { t } from './words.ts';

/** Of the shorter side: twice what is kept. */
const shortSide = 1_024;
/** What is smaller, and of a kind that the service reads, goes as it is. */
const smallBytes = 512 * 1024;
const readByService = ['image/jpeg', 'image/png', 'image/webp'];

/** Why a photo can't be sent, in words for the person who chose it. */
export class PhotoFault extends Error {
  override name = 'PhotoFault';
}

/** @throws PhotoFault for a HEIC photo in a browser that can't read it */
export async function smallerPhoto(file: File): Promise<File> {
  const isKnown = readByService.includes(file.type);
  if (isKnown && file.size <= smallBytes) return file;
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file); // upright, as the photo says
  } catch {
    if (isHeic(file)) {
      throw new PhotoFault(
        t`This browser can't read HEIC photos. Save the photo as JPEG, or choose it in Safari or on the phone that took it.`,
      );
    }
    return file; // the service says what is wrong with it
  }
  return drawn(picture, file);
}

function isHeic({ type, name }: File): boolean {
  return /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
}

async function drawn(picture: ImageBitmap, file: File): Promise<File> {
  const { width, height } = picture;
  const scale = Math.min(1, shortSide / Math.min(width, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  // A picture with holes keeps them.
  const type = file.type === 'image/png' ? 'image/png' : 'image/jpeg';
  const blob = await canvas.convertToBlob({ type, quality: 0.9 });
  const name = `${file.name.replace(/\.[^.]*$/, '')}.${type === 'image/png' ? 'png' : 'jpg'}`;
  return new File([blob], name, { type });
}

/** The only file that knows the library of pictures. */
import sharp from 'sharp';

const side_px = 512;
const timeout_s = 10;

// The library reads many formats, SVG and PDF among them: only those that are accepted are left on.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });
sharp.cache(false); // no picture is read twice
sharp.concurrency(1); // threads for one picture

/**
 * Of an animated picture the first frame.
 * @param most_pixels of the picture that is read
 * @returns 512×512 webp, upright, without metadata
 * @throws when it is damaged, or has more pixels
 */
export function square(input: Buffer, most_pixels: number): Promise<Buffer> {
  return sharp(input, { failOn: 'error', limitInputPixels: most_pixels, pages: 1 })
    .timeout({ seconds: timeout_s })
    .autoOrient()
    .resize(side_px, side_px, { fit: 'cover' })
    .toColourspace('srgb')
    .webp({ quality: 82 })
    .toBuffer();
}

/** QR codes as a single SVG path: the page policy allows no images, and CSS can't scale a table. */
import { encode } from 'uqr';

export interface QrCode {
  /** Width and height in modules, including the quiet zone of four that readers need. */
  size: number;
  path: string;
}

export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join('') };
}

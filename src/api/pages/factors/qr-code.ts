/** QR codes as one path of an SVG: pages under our policy load no pictures, and styles would not stretch a table. */
import { encode } from 'uqr';

export interface QrCode {
  /** Width and height, in modules, with the quiet zone of four around it that readers need. */
  size: number;
  /** The dark modules. */
  path: string;
}

export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: dark.join('') };
}

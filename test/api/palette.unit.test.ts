/** Colors are defined in one palette file; files that can't import it use the same values. */
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const colors = (text: string) =>
  [...new Set(text.match(/#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/gi) ?? [])].map((each) => each.toLowerCase());
const palette = new Set(colors(read('src/api/palette.css')));

const others: Record<string, string[]> = {
  // Dark on light in both schemes, which QR code scanners need.
  'src/api/pages/templates/style.css': ['#ffffff', '#000000'],
  'packages/console/src/style.css': [],
  'src/api/base.css': [],
  'src/platform/mail/templates/mail.html.eta': [],
  'src/api/pages/images/favicon.svg': ['#fff'],
};

test.each(Object.entries(others))('%s defines no colors of its own', (file, allowed) => {
  expect(colors(read(file)).filter((color) => !palette.has(color) && !allowed.includes(color))).toEqual([]);
});

test('the documentation adds only colors for code', () => {
  const own = [...read('src/api/docs/assets/style.css').matchAll(/^\s*(--[\w-]+): #/gm)].map(([, name]) => name!);
  expect(own.filter((name) => !name.startsWith('--code-'))).toEqual([]);
});

const luminance = (color: string) => {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
};
const contrast = (a: string, b: string) => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
};

describe.each(['light', 'dark'])('%s', (scheme) => {
  const [light, dark] = read('src/api/palette.css').split('@media');
  const named = new Map(
    [...(scheme === 'light' ? light! : dark!).matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  );
  test.each([
    ['text', 'page'],
    ['text', 'card'],
    ['quiet', 'page'],
    ['quiet', 'card'],
    ['accent', 'card'],
    ['accent', 'page'],
    ['accent', 'accent-soft'],
    ['on-accent', 'accent'],
    ['danger', 'danger-soft'],
    ['danger', 'card'],
    ['warn', 'warn-soft'],
    ['good', 'good-soft'],
    ['good', 'page'],
  ])('%s on %s has enough contrast', (text, background) => {
    expect(contrast(named.get(text)!, named.get(background)!)).toBeGreaterThanOrEqual(4.5);
  });
});

test('the console imports the palette, and each page has the logo', () => {
  expect(read('packages/console/src/style.css')).toContain('@import "../../../src/api/palette.css";');
  for (const page of [
    'src/api/pages/templates/layout.eta',
    'src/api/docs/pages/layout.eta',
    'packages/console/index.html',
  ]) {
    expect(read(page)).toContain('href="/favicon.svg"');
  }
});

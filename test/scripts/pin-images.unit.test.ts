/** Container images that the project names, and pinning them to digests. */
import { readFileSync } from 'node:fs';
import { imageFiles, imagesOf, movableImagesOf, pinImages } from '../../scripts/supply-chain/images.ts';

const root = new URL('../../', import.meta.url);
const texts = imageFiles.map((file) => readFileSync(new URL(file, root), 'utf8'));
const digest = (digit: string) => `sha256:${digit.repeat(64)}`;

test('finds all images, and the same Node version everywhere', () => {
  const found = [...new Set(texts.flatMap(imagesOf))].sort();
  expect(found.map((image) => image.replace(/^.*\/|:.*/g, '')).sort()).toEqual([
    'caddy',
    'javascript-node',
    'node',
    'postgres',
  ]);
});

test('adds or replaces a digest, and keeps the rest', () => {
  const digests = { 'node:24-bookworm-slim': digest('a'), 'caddy:2.10': digest('b') };
  for (const text of texts) {
    const once = pinImages(text, digests);
    expect(pinImages(once, digests)).toBe(once);
    expect(movableImagesOf(once).filter((image) => image in digests)).toEqual([]);
    expect(imagesOf(once)).toEqual(imagesOf(text));
    expect(pinImages(once, { 'node:24-bookworm-slim': digest('c') })).toBe(once.replaceAll(digest('a'), digest('c')));
    expect(once.replaceAll(/@sha256:[ab]{64}/g, '')).toBe(text);
  }
  const byDefault = (image: string) => `image: \${CADDY_IMAGE:-${image}}`;
  expect(pinImages(byDefault('caddy:2.10'), digests)).toBe(byDefault(`caddy:2.10@${digest('b')}`));
  expect(imagesOf('node:24@sha256:…')).toEqual([]); // a placeholder
});

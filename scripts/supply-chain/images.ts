/** Finds the container images named in the project's files, with a tag or a digest. */

/** Files that reference images. */
export const imageFiles = ['Dockerfile', 'compose.yaml', '.devcontainer/devcontainer.json'] as const;

/** An image name with a tag and an optional digest, as far as the project uses them; skips placeholders with `…`. */
const image =
  /(?<![\w./]|(?<!:)-)((?:[\w.-]+\/)*(?:node|javascript-node|caddy|postgres):\d[\w.-]*)(?:@(sha256:[0-9a-f]{64}))?(?![\w.@-])/g;

/** @returns the images in a file, without digests */
export function imagesOf(text: string): string[] {
  return [...new Set([...text.matchAll(image)].map(([, name]) => name!))];
}

/** @returns the images without a digest, whose tag can be moved by the publisher */
export function movableImagesOf(text: string): string[] {
  return [...new Set([...text.matchAll(image)].flatMap(([, name, digest]) => (digest ? [] : [name!])))];
}

/**
 * @param digests sha256:… by image; other images stay unchanged
 * @returns the text with pinned images
 */
export function pinImages(text: string, digests: Readonly<Record<string, string>>): string {
  return text.replaceAll(image, (found, name: string) => (digests[name] ? `${name}@${digests[name]}` : found));
}

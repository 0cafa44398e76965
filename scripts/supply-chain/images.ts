/** The images that the project's files name, by tag or by digest. */

/** Files of the repository that name images of others. */
export const imageFiles = ['Dockerfile', 'compose.yaml', '.devcontainer/devcontainer.json'] as const;

/** A name with a tag and perhaps a digest; not where `…` stands for one. Of what Docker allows in a name, what is used here. */
const image =
  /(?<![\w./]|(?<!:)-)((?:[\w.-]+\/)*(?:node|javascript-node|caddy|postgres):\d[\w.-]*)(?:@(sha256:[0-9a-f]{64}))?(?![\w.@-])/g;

/** @returns the images that a file names, without their digests */
export function imagesOf(text: string): string[] {
  return [...new Set([...text.matchAll(image)].map(([, name]) => name!))];
}

/** @returns the images that a file names by a tag alone, which whoever publishes them can move */
export function movableImagesOf(text: string): string[] {
  return [...new Set([...text.matchAll(image)].flatMap(([, name, digest]) => (digest ? [] : [name!])))];
}

/**
 * @param digests sha256:… by image; images that are not in it stay as they are
 * @returns the same text with the images by these digests
 */
export function pinImages(text: string, digests: Readonly<Record<string, string>>): string {
  return text.replaceAll(image, (found, name: string) => (digests[name] ? `${name}@${digests[name]}` : found));
}

/** The only file that knows the library of file types, which is loaded by the first file. */

/**
 * @param head first bytes of a file
 * @returns its media type by what stands in them; undefined for text, and for what is not known
 */
export async function typeByContent(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found?.mime;
}

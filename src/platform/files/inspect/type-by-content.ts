/** The only file that uses the library for file types, which is loaded lazily. */

/** @param head first bytes of a file @returns its media type; undefined for text and unknown types */
export async function typeByContent(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found?.mime;
}

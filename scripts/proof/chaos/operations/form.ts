// Forms with a file.

/**
 * @param fields besides the file
 * @param part name of the file's part
 * @returns creates a new form for each attempt
 */
export function formOf(
  content: Buffer,
  filename: string,
  type: string,
  fields: Record<string, string>,
  part = 'file',
): () => FormData {
  return () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append(part, new Blob([new Uint8Array(content)], { type }), filename);
    return form;
  };
}

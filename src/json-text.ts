/** Bodies that are sent more than once are written as JSON once. */
const kept = new WeakMap<object, string>();

/** As `JSON.stringify`; for a body that was kept, the text it had then. */
export function jsonText(body: unknown): string {
  return kept.get(body as object) ?? JSON.stringify(body);
}

/**
 * Writes a body and keeps the text with it, as long as the body itself is kept.
 * @param body is not changed any more
 * @returns the text
 */
export function keepJsonText(body: object): string {
  const text = JSON.stringify(body);
  kept.set(body, text);
  return text;
}

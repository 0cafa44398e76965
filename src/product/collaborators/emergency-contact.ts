/** An emergency contact as its column: JSON, which unlike plain text has no place for half a surrogate pair. */
export function contactColumn(contact: unknown): string {
  return JSON.stringify(contact, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value));
}

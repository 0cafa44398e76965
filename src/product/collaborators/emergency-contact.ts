/** An emergency contact as its JSON column; JSON can not represent half of a surrogate pair. */
export function contactColumn(contact: unknown): string {
  return JSON.stringify(contact, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value));
}

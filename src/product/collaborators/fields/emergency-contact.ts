/** Encodes an emergency contact for its JSON column. */
export function contactColumn(contact: unknown): string {
  return JSON.stringify(contact);
}

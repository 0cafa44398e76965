/** An emergency contact as its JSON column. */
export function contactColumn(contact: unknown): string {
  return JSON.stringify(contact);
}

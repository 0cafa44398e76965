export function contactColumn(contact: unknown): string {
  return JSON.stringify(contact);
}

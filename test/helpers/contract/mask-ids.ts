/** Replaces ids and times, so that their digits aren't mistaken for a number that must not appear. */
export function maskIds(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/gi, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
}

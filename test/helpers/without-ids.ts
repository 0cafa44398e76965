/** A text without ids and times, so that no digits in one are taken for a number that must not be there. */
export function withoutIds(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/gi, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
}

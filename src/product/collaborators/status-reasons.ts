/**
 * Reasons for changes of a status that no person gave. They are in English, the language of records; the console translates
 * exactly these.
 */
export const statusReasons = {
  left: 'They left the company, on the page of their account',
  deactivated_by_directory: 'Deactivated by the directory',
  removed_from_directory: 'Removed from the directory',
  left_by_import: 'According to the imported file, this person has left.',
} as const;

export function reasonOfEnd(terminationDate: string): string {
  return `The last day of employment was ${terminationDate}.`;
}

/** Options and help that several commands have. */
export const json = ['--json', 'print JSON for programs'] as const;

export const base_url = [
  '--base-url <url>',
  'address of the service; default: $BASE_URL, or the service running in this checkout',
] as const;

export function example(command: string): string {
  return `\nExample:\n  npm run cli -- ${command}`;
}

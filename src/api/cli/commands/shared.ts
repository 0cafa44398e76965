/** Help that several commands of operators have. */
export function example(command: string): string {
  return `\nExample:\n  npm run cli -- ${command}`;
}

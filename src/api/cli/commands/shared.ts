export function example(command: string): string {
  return `\nExample:\n  npm run cli -- ${command}`;
}

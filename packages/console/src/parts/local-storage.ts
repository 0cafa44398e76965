/** Local storage. Browsers that block it throw; then nothing is remembered. */

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function writeStored(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // the next visit asks again
  }
}

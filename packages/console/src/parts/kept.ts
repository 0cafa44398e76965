/** Local storage. Browsers that block it throw; then nothing is remembered. */

export function keptText(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keepText(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // asked anew next time
  }
}

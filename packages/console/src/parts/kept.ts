/** What this browser remembers from one visit to the next. One that keeps nothing for sites throws, and remembers nothing. */

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

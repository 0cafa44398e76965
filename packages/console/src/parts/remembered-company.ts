/** The company that was worked with last in this browser: where the console opens. */
const kept = 'console.company';

export function rememberedCompany(): string | null {
  return localStorage.getItem(kept);
}

export function rememberCompany(id: string): void {
  localStorage.setItem(kept, id);
}

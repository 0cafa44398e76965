/** The company that was worked with last in this browser: where the console opens. */
import { keepText, keptText } from './kept.ts';

const kept = 'console.company';

export function rememberedCompany(): string | null {
  return keptText(kept);
}

export function rememberCompany(id: string): void {
  keepText(kept, id);
}

/** The last company used in this browser: the console opens with it. */
import { keepText, keptText } from './kept.ts';

const kept = 'console.company';

export function rememberedCompany(): string | null {
  return keptText(kept);
}

export function rememberCompany(id: string): void {
  keepText(kept, id);
}

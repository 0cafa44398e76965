/** The row height of all tables: 40 or 56 pixels, stored in this browser, and applied by the style sheet. */
import { readStored, writeStored } from '../local-storage.ts';

const storageKey = 'console.rows';

export function hasTallRows(): boolean {
  return document.documentElement.dataset.rows === 'tall';
}

export function setTallRows(isTall: boolean): void {
  document.documentElement.dataset.rows = isTall ? 'tall' : '';
  writeStored(storageKey, isTall ? 'tall' : '');
}

export function restoreRowHeight(): void {
  document.documentElement.dataset.rows = readStored(storageKey) ?? '';
}

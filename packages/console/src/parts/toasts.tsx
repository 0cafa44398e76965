/** Toasts: disappear by themselves, stay while hovered, and are announced to screen readers. Load with the first one. */
import { Suspense, useSyncExternalStore } from 'react';
import { optional } from './on-demand.tsx';

/** Without its file a message is missing, but what it reports has happened. */
const ToastList = optional(async () => (await import('./toast-list.tsx')).ToastList);
const listeners = new Set<() => void>();
const queue: string[] = [];
let isUsed = false;

/** @param text for example `Saved` */
export function toast(text: string): void {
  isUsed = true;
  queue.push(text);
  for (const listener of listeners) listener();
}

/** @returns the texts that were not displayed yet */
function takeTexts(): string[] {
  return queue.splice(0);
}

/** @returns unsubscribes */
function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const isShown = useSyncExternalStore(onToast, () => isUsed);
  return <Suspense fallback={null}>{isShown && <ToastList takeTexts={takeTexts} onToast={onToast} />}</Suspense>;
}

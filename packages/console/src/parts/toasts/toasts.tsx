/** Toasts: disappear by themselves, stay while hovered, and are announced to screen readers. Load with the first one. */
import { Suspense, useSyncExternalStore } from 'react';
import { optional } from '../on-demand.tsx';
import type { Message } from './toast-list.tsx';

/** Without its file a message is missing, but what it reports has happened. */
const ToastList = optional(async () => (await import('./toast-list.tsx')).ToastList);
const listeners = new Set<() => void>();
const queue: Message[] = [];
let isUsed = false;

/** @param text for example `Saved` */
export function toast(text: string, errorUrl?: string): void {
  isUsed = true;
  queue.push({ text, errorUrl });
  for (const listener of listeners) listener();
}

/** @returns messages that were not displayed yet */
function takeMessages(): Message[] {
  return queue.splice(0);
}

/** @returns unsubscribes */
function onToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const isShown = useSyncExternalStore(onToast, () => isUsed);
  return <Suspense fallback={null}>{isShown && <ToastList takeMessages={takeMessages} onToast={onToast} />}</Suspense>;
}

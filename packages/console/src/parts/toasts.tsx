/** Toasts: disappear by themselves, stay while hovered, and are announced to screen readers. Load with the first one. */
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';

/** After a deployment the file may be gone. Then messages are missing, but what they report has happened. */
const ToastList = lazy(() =>
  import('./toast-list.tsx').then(
    (list) => ({ default: list.ToastList }),
    () => ({ default: (): ReactNode => null }),
  ),
);
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

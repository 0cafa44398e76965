/** Toasts: disappear by themselves, stay while hovered, and are announced to screen readers. */
import * as Radix from '@radix-ui/react-toast';
import { useSyncExternalStore } from 'react';
import { t } from './translate.ts';

interface Toast {
  id: number;
  text: string;
}

const shownMs = 6_000;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let lastId = 0;

/** @param text for example `Saved` */
export function toast(text: string): void {
  lastId += 1;
  set([...toasts, { id: lastId, text }]);
}

function set(now: readonly Toast[]): void {
  toasts = now;
  for (const listener of listeners) listener();
}

export function Toasts() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <Radix.Provider duration={shownMs} label={t`Notification`}>
      {shown.map(({ id, text }) => (
        <Radix.Root
          key={id}
          className="toast"
          onOpenChange={(isOpen) => isOpen || set(toasts.filter((each) => each.id !== id))}
        >
          <Radix.Description>{text}</Radix.Description>
          <Radix.Close className="button quiet">{t`Close`}</Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="toasts" label={t`Recent messages`} />
    </Radix.Provider>
  );
}

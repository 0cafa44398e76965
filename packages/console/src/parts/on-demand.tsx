/**
 * Parts of a screen whose code loads at first use. After a deployment the file of an open page may be gone: then the screen stays,
 * with its input, and a dialog offers to reload.
 */
import { type ComponentType, lazy, useState, useSyncExternalStore } from 'react';
import { Confirm } from './dialog.tsx';
import { t } from './translate.ts';

const listeners = new Set<() => void>();
let isNeeded = false;

function setNeeded(value: boolean): void {
  isNeeded = value;
  for (const listener of listeners) listener();
}

/** Opens the dialog that offers to reload the page. */
export function offerReload(): void {
  setNeeded(true);
}

export function ReloadDialog() {
  const isOpen = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isNeeded,
  );
  return (
    <Confirm
      open={isOpen}
      title={t`Reload to continue`}
      about={t`This part didn't load: the console was updated, or the connection was lost.`}
      actionLabel={t`Reload the page`}
      onConfirm={() => location.reload()}
      onClose={() => setNeeded(false)}
    >
      <p>{t`Save your changes first: reloading discards what you typed.`}</p>
    </Confirm>
  );
}

interface OnDemand<Props> {
  /** Undefined until it is loaded. */
  Part: ComponentType<Props> | undefined;
  /** Loads it ahead; errors wait for `show`. */
  preload(): void;
  /** Loads and renders it. Browsers may remember an error until the page is reloaded. */
  show(): void;
}

export function useOnDemand<Props>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  const [Part, setPart] = useState<ComponentType<Props>>();
  return {
    Part,
    preload: () => void load().catch(() => {}),
    show: () => void load().then((part) => setPart(() => part), offerReload),
  };
}

/** A part that the screen can do without: if it can't load, `Substitute` takes its place. */
export function optional<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Substitute: ComponentType<Props> = () => null,
) {
  return lazy(() => load().then(toDefault, () => toDefault(Substitute)));
}

function toDefault<Props>(part: ComponentType<Props>) {
  return { default: part };
}

/** Modal dialog: traps the focus; Escape or a click outside closes it, unless its action is running. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useLayoutEffect } from 'react';
import { Button } from './button.tsx';
import { Problem } from './errors/problem.tsx';
import { isComplete } from './fields/complete.ts';
import { t } from './translate.ts';

interface DialogProps {
  title: string;
  open: boolean;
  onClose(): void;
  /** One sentence, announced with the title. */
  about?: string | undefined;
  wide?: boolean;
  className?: string;
  /** It can't be closed, since only it shows the result, such as a new secret. */
  locked?: boolean;
  children: ReactNode;
}

export function Dialog({ title, open, onClose, about, wide = false, className = '', locked, children }: DialogProps) {
  useFocusOfSection(open);
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => isOpen || locked || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="overlay" />
        <Base.Popup className={`dialog ${wide ? 'wide' : ''} ${className}`}>
          <Base.Title>{title}</Base.Title>
          {about && <Base.Description>{about}</Base.Description>}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * The dialog returns the focus to the control that opened it. If that is gone with the deleted item, its section gets the focus, or
 * the screen if the section is gone too.
 */
function useFocusOfSection(open: boolean): void {
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const section = opener?.closest<HTMLElement>('section, main');
    if (!open || !section) return undefined;
    const main = section.closest('main');
    return () =>
      // Runs after the item is removed.
      queueMicrotask(() => {
        if (opener!.isConnected || document.activeElement !== document.body) return;
        const remaining = section.isConnected ? section : main;
        if (remaining) remaining.tabIndex = -1;
        remaining?.focus({ preventScroll: true });
      });
  }, [open]);
}

interface ConfirmProps extends Omit<DialogProps, 'children' | 'about'> {
  /** The consequence. */
  about: string;
  /** Button label, for example `Delete the endpoint`. */
  actionLabel: string;
  danger?: boolean;
  busy?: boolean;
  error?: unknown;
  /** Called unless a date or number is half-typed. */
  onConfirm(): void;
  children?: ReactNode;
}

/** Confirmation for actions that can't be undone or that affect others. */
export function Confirm({
  actionLabel,
  danger = false,
  busy = false,
  error,
  locked = busy,
  onConfirm,
  children,
  ...dialog
}: ConfirmProps) {
  return (
    <Dialog {...dialog} locked={locked}>
      {children}
      {error ? <Problem error={error} /> : null}
      <div className="actions">
        <Button disabled={locked} onClick={dialog.onClose}>{t`Cancel`}</Button>
        <Button
          kind={danger ? 'danger' : 'primary'}
          busy={busy}
          onClick={({ currentTarget }) => isComplete(currentTarget.closest('.dialog')) && onConfirm()}
        >
          {actionLabel}
        </Button>
      </div>
    </Dialog>
  );
}

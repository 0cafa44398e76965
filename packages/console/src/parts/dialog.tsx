/** Modal dialog: traps the focus; Escape or a click outside closes it, unless its action is running. */
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
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

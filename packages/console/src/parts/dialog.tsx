/** Modal dialog: traps the focus; Escape or a click outside closes it. */
import { lazy, type ReactNode, Suspense } from 'react';
import { Button } from './button.tsx';
import type { DialogProps } from './modal.tsx';
import { Problem } from './problem.tsx';
import { t } from './translate.ts';

const Modal = lazy(() => import('./modal.tsx'));

/** Loads its implementation when the first dialog opens. */
export function Dialog(props: DialogProps) {
  return <Suspense fallback={null}>{props.open && <Modal {...props} />}</Suspense>;
}

interface ConfirmProps extends Omit<DialogProps, 'children' | 'about'> {
  /** The consequence. */
  about: string;
  /** Button label, for example `Delete the endpoint`. */
  actionLabel: string;
  danger?: boolean;
  busy: boolean;
  error: unknown;
  onConfirm(): void;
  children?: ReactNode;
}

/** Confirmation for actions that can't be undone or that affect others. */
export function Confirm({ actionLabel, danger = false, busy, error, onConfirm, children, ...dialog }: ConfirmProps) {
  return (
    <Dialog {...dialog}>
      {children}
      {error ? <Problem error={error} /> : null}
      <div className="actions">
        <Button onClick={dialog.onClose}>{t`Cancel`}</Button>
        <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
          {actionLabel}
        </Button>
      </div>
    </Dialog>
  );
}

/** Modal dialog: traps the focus; Escape or a click outside closes it. */
import * as Radix from '@radix-ui/react-dialog';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Problem } from './problem.tsx';
import { t } from './translate.ts';

interface DialogProps {
  title: string;
  open: boolean;
  onClose(): void;
  /** One sentence, announced with the title. */
  about?: string | undefined;
  wide?: boolean;
  className?: string;
  children: ReactNode;
}

export function Dialog({ title, open, onClose, about, wide = false, className = '', children }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={(now) => now || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content
          className={`dialog ${wide ? 'wide' : ''} ${className}`}
          {...(about ? {} : { 'aria-describedby': undefined })}
        >
          <Radix.Title>{title}</Radix.Title>
          {about && <Radix.Description>{about}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ConfirmProps extends Omit<DialogProps, 'children' | 'about'> {
  /** The consequence. */
  about: string;
  /** Button label, for example `Delete the endpoint`. */
  act: string;
  danger?: boolean;
  busy: boolean;
  error: unknown;
  onConfirm(): void;
  children?: ReactNode;
}

/** Confirmation for actions that can't be undone or that affect others. */
export function Confirm({ act, danger = false, busy, error, onConfirm, children, ...dialog }: ConfirmProps) {
  return (
    <Dialog {...dialog}>
      {children}
      {error ? <Problem error={error} /> : null}
      <div className="actions">
        <Button onClick={dialog.onClose}>{t`Cancel`}</Button>
        <Button kind={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
          {act}
        </Button>
      </div>
    </Dialog>
  );
}

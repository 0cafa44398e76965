import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

export interface DialogProps {
  title: string;
  open: boolean;
  onClose(): void;
  /** One sentence, announced with the title. */
  about?: string | undefined;
  wide?: boolean;
  className?: string;
  children: ReactNode;
}

export default function Modal({ title, onClose, about, wide = false, className = '', children }: DialogProps) {
  return (
    <Base.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
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

/**
 * A form whose fields can't change while it is saved: the response would discard later input. Afterwards, the first invalid field
 * gets the focus.
 */
import { type ComponentProps, useLayoutEffect, useRef } from 'react';

export function Form({ busy, ...props }: ComponentProps<'form'> & { busy: boolean }) {
  const form = useRef<HTMLFormElement>(null);
  const focused = useRef<Element>(null);
  useLayoutEffect(() => {
    if (busy) focused.current = document.activeElement;
    // A click on an inert field focuses an element around the form.
    else if (focused.current instanceof HTMLElement && document.activeElement?.contains(focused.current))
      (form.current!.querySelector<HTMLElement>('[aria-invalid="true"]') ?? focused.current).focus();
  }, [busy]);
  return <form {...props} ref={form} inert={busy} />;
}

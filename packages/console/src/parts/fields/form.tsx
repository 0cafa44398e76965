/** A form whose fields can't change while it is saved: the response would discard later input. */
import { type ComponentProps, useLayoutEffect, useRef } from 'react';

export function Form({ busy, ...form }: ComponentProps<'form'> & { busy: boolean }) {
  const focused = useRef<Element>(null);
  useLayoutEffect(() => {
    if (busy) focused.current = document.activeElement;
    // A click on an inert field focuses an element around the form.
    else if (focused.current instanceof HTMLElement && document.activeElement?.contains(focused.current))
      focused.current.focus();
  }, [busy]);
  return <form {...form} inert={busy} />;
}

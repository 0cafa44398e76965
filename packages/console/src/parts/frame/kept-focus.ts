import { type RefObject, useEffect } from 'react';

/**
 * When the focused control disappears, for example with its row, moves the focus to its section, or to the screen if the section is
 * gone too. The browser would start from the top of the page. If a dialog has the focus then, moves it once the dialog closes.
 */
export function useKeptFocus(screen: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const main = screen.current!;
    let focused: Node | null = null;
    let section: HTMLElement | null | undefined; // null: it had none
    const remember = ({ target }: FocusEvent) => {
      focused = target as Node;
      section = undefined;
    };
    const observer = new MutationObserver((changes) => {
      const removal =
        !focused?.isConnected && // else it only moved
        changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(focused)));
      if (removal) section = (removal.target as Element).closest<HTMLElement>('section');
      if (section === undefined || document.activeElement !== document.body) return;
      const place = section?.isConnected ? section : main;
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
    });
    main.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      main.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [screen]);
}

/**
 * Replaces `react-style-singleton`, which Radix uses to lock page scroll behind a dialog. The package inserts a `<style>`
 * element, which our content security policy blocks; a constructed style sheet has the same effect.
 */
import { useEffect } from 'react';

/** A component that applies one style rule, with the package's API. */
export function styleSingleton() {
  const useStyle = styleHookSingleton();
  // biome-ignore lint/correctness/noComponentHookFactories: called once, when the library is loaded
  return function Style({ styles }: { styles: string }) {
    useStyle(styles);
    return null;
  };
}

export function styleHookSingleton() {
  const sheet = stylesheetSingleton();
  return (styles: string) => {
    useEffect(() => {
      sheet.add(styles);
      return sheet.remove;
    }, [styles]);
  };
}

export function stylesheetSingleton() {
  let users = 0;
  let sheet: CSSStyleSheet | undefined;
  return {
    add(styles: string) {
      if (users === 0) {
        sheet = new CSSStyleSheet();
        sheet.replaceSync(styles);
        document.adoptedStyleSheets.push(sheet);
      }
      users += 1;
    },
    remove() {
      users -= 1;
      if (users === 0) document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    },
  };
}

/**
 * Stands in for the package `react-style-singleton`, by which Radix keeps the page from scrolling behind a dialog: it writes a
 * `<style>` into the page, which our content security policy refuses. A constructed style sheet does the same and is no inline
 * style.
 */
import { useEffect } from 'react';

/** A component for one rule of style, as the package makes them. */
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

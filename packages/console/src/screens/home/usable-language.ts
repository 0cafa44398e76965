/** Import before uPlot, which formats numbers in the browser's language as it loads: Intl refuses tags such as en-US@posix. */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}

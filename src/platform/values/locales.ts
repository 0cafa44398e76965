/** Languages as people name them in their settings. */

/** Whether it is a tag of RFC 5646. */
export function isLocale(tag: string): boolean {
  try {
    Intl.getCanonicalLocales(tag);
    return true;
  } catch {
    return false;
  }
}

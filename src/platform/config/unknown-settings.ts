/** Finds environment variables that look like settings but have no effect, such as misspelled ones. */
import { editDistance } from '../../contract/texts/edit-distance.ts';

interface UnknownSetting {
  name: string;
  /** The setting that was probably meant. */
  similar?: string;
}

/** First words of settings that other programs don't use. */
const ownWords = ['DATABASE', 'QUOTA', 'RATE', 'SHUTDOWN', 'STORAGE', 'WEBHOOK', 'WEBHOOKS', 'WORKER'];

/** Kubernetes and Docker add these for other services, whose names may begin with the same words. */
const ofServices = /_SERVICE_(HOST|PORT)(_|$)|_PORT(_\d+_(TCP|UDP)(_|$)|$)/;

/** Shorter names resemble too many others. */
const minChars = 6;

/** @param known the names of all settings, including those with _FILE */
export function findUnknownSettings(names: readonly string[], known: readonly string[]): UnknownSetting[] {
  const candidates = known.filter((name) => name.length >= minChars);
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const similar = candidates.find((setting) => isSimilar(name, setting));
      if (similar) return [{ name, similar }];
      return ownWords.includes(name.split('_', 1)[0]!) && !ofServices.test(name) ? [{ name }] : [];
    });
}

function isSimilar(name: string, setting: string): boolean {
  const written = name.toUpperCase();
  const allowedTypos = setting.length < 8 ? 1 : 2;
  // Only secrets may come from files.
  return written === `${setting}_FILE` || editDistance(written, setting, allowedTypos) <= allowedTypos;
}

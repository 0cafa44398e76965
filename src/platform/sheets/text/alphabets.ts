/** Non-ASCII letters by language, for names and office vocabulary (CLDR exemplar characters). */

/** Latin alphabets only: their encodings use much the same bytes for different letters. */
const alphabets = [
  'áéíñóúü', // Spanish
  'áâãàçéêíóôõúü', // Portuguese
  'àâæçéèêëîïôœùûüÿ', // French
  'äöüßé', // German
  'àèéìíòóùç', // Italian
  'àçèéíïòóúüñ', // Catalan
  'äåöéü', // Swedish, Finnish
  'æøåéöäü', // Danish, Norwegian
  'áðéíóúýþæö', // Icelandic
  'áèéëïóöü', // Dutch
  'ąćęłńóśźż', // Polish
  'áčďéěíňóřšťúůýž', // Czech
  'áäčďéíĺľňóôŕšťúýž', // Slovak
  'áéíóöőúüű', // Hungarian
  'ăâîșțşţ', // Romanian
  'čćđšž', // Croatian, Slovenian, Serbian
  'çğıi̇öşüâîû', // Turkish
  'ąčęėįšųūž', // Lithuanian
  'āčēģīķļņšūž', // Latvian
  'äõöüšž', // Estonian
].map((letters) => new Set(letters));

/**
 * @returns how well the non-ASCII Latin letters fit one language, from 0 to 1; a foreign name in a list reduces it only little
 */
export function alphabetScore(text: string): number {
  const counts = new Map<string, number>();
  let all = 0;
  for (const letter of text.toLowerCase().match(nonAsciiLatin) ?? []) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
    all++;
  }
  if (all === 0) return 1;
  const foundIn = (alphabet: ReadonlySet<string>) => {
    let found = 0;
    for (const [letter, count] of counts) if (alphabet.has(letter)) found += count;
    return found;
  };
  const found = Math.max(...alphabets.map(foundIn));
  return (found / all) ** 2 * 0.9 ** Math.min(all - found, maxForeignLetters);
}

/** More foreign letters change nothing: a long international list isn't less plausible. */
const maxForeignLetters = 20;

const nonAsciiLatin = /[\p{Script=Latin}--[a-z]]/gv;

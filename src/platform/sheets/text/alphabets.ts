/** Letters beyond ASCII by language, as far as names and words of office life have them (CLDR, exemplar characters). */

/** Those in Latin letters: the encodings for them have much the same bytes, and differ in what letters these are. */
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
 * @returns how well the Latin letters beyond ASCII go together, between 0 and 1: 1 when there is a language that has all of
 *   them; else less for each that the best language does not have, as one name of a list may be from elsewhere
 */
export function harmony(text: string): number {
  const counts = new Map<string, number>();
  let all = 0;
  for (const letter of text.toLowerCase().match(latinBeyondAscii) ?? []) {
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
  return (found / all) ** 2 * 0.9 ** Math.min(all - found, mostStrangers);
}

/** More say no more: a long list of people from everywhere is not less probable for its length. */
const mostStrangers = 20;

const latinBeyondAscii = /[\p{Script=Latin}--[a-z]]/gv;

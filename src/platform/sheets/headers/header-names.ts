/** Names of columns as people write them: when two mean the same, and when they probably do. */

/**
 * Without what people and programs change: case, accents, spaces, punctuation, the star of a required column, and words
 * joined as programs join them (`EmailAddress`). What is left are words of letters and digits with one space between them.
 */
export function plainName(name: string): string {
  return wordsOf(name) || name.trim().toLowerCase(); // a name of signs alone is the signs
}

function wordsOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/(\p{Ll}\p{M}*)(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Words that say nothing about which field it is: whose it is, or that it is the usual one. In plain form. */
const emptyWords = wordSet(
  `of the a an for s employee employees staff worker person current main primary full
   do da de dos das o no em colaborador colaboradora colaboradores funcionario funcionaria funcionarios pessoa
   atual principal completo completa
   del la el los las en empleado empleada empleados trabajador trabajadora persona actual
   der die das des dem den fur vom mitarbeiter mitarbeiters mitarbeiterin mitarbeitende mitarbeitenden angestellte
   aktuell aktuelle haupt
   le les l du d au en employe employee employes salarie salaries collaborateur collaboratrice personne
   actuel actuelle complet`,
);

/** Words of the company and of work: they say nothing of an address or a phone, but a name with one of them is no person's. */
const companyWords = wordSet(
  `work working corporate company business professional
   trabalho corporativo corporativa empresa empresarial profissional
   trabajo laboral profesional
   arbeit firma firmen dienstlich dienstliche geschaftlich geschaftliche berufliche
   travail entreprise professionnel professionnelle`,
);

/** What many things have: alone they don't tell whose number it is. */
const genericWords = wordSet('number numero nummer no nr n id code codigo name nome nombre nom date data fecha datum');

function wordSet(words: string): Set<string> {
  return new Set(words.split(/\s+/).filter(Boolean));
}

/** Words of notes that don't change which field a header is. */
const noteWords = wordSet(
  `required mandatory optional read only upload yes must be in the e 164 format obrigatorio obrigatoria opcional obligatorio
   pflichtfeld obligatoire facultatif eur usd brl r mm dd yyyy aaaa tt jjjj year ano jahr`,
);

/** Without notes in brackets that say nothing about the field: `First Name [Required]` is `First Name `; `Email (private)` stays. */
export function withoutNotes(name: string): string {
  return name.replace(/\([^)]*\)|\[[^\]]*\]/g, (note) => {
    const words = wordsOf(note).split(' ').filter(Boolean);
    return words.every((word) => noteWords.has(word) || emptyWords.has(word) || companyWords.has(word)) ? ' ' : note;
  });
}

/** Without notes and empty words: `E-mail do funcionário (corporativo)` is `e mail`. */
function essence(name: string): string {
  const words = wordsOf(withoutNotes(name)).split(' ');
  const wanted = words.filter((word) => !emptyWords.has(word) && !companyWords.has(word));
  const isOfCompany = words.some((word) => companyWords.has(word));
  return isOfCompany && wanted.every((word) => genericWords.has(word)) ? '' : wanted.join(' ');
}

/** @returns for a header the key that is meant by a name that is almost the same; undefined for none, and for several */
export function guesser(names: ReadonlyMap<string, string>): (header: string) => string | undefined {
  const known = [...names]
    .map(([name, key]) => ({ key, name, essence: essence(name) }))
    .filter((each) => each.essence.length > 2);
  return (header) => {
    const wanted = essence(header);
    if (wanted === '') return undefined;
    const isGeneric = genericWords.has(wanted);
    for (const most of [0, mistypes(wanted)]) {
      const alike = known.filter((each) => {
        if (isGeneric && each.name !== each.essence) return false; // `Main number` is no employee number
        return distance(each.essence, wanted, most) <= most && haveSameInitials(each.essence, wanted);
      });
      const keys = new Set(alike.map(({ key }) => key));
      if (keys.size > 0) return keys.size === 1 ? [...keys][0] : undefined;
    }
    return undefined;
  };
}

/** Who mistypes gets the first letters right: `Data de emissão` is no `Data de demissão`. A space may have been lost. */
function haveSameInitials(a: string, b: string): boolean {
  const [ofA, ofB] = [a, b].map((text) => text.split(' ').map((word) => word[0])) as [string[], string[]];
  return ofA.length === ofB.length ? ofA.join('') === ofB.join('') : ofA[0] === ofB[0];
}

/** How many letters may be wrong. In a short word every one counts. */
function mistypes({ length }: string): number {
  return length < 6 ? 0 : length < 12 ? 1 : 2;
}

/** Letters that are added, left out, replaced, or exchanged with the next one (Damerau, Levenshtein); above `most`, any number above it. */
function distance(a: string, b: string, most: number): number {
  if (a === b) return 0;
  if (most === 0 || Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

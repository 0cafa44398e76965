/** Names of columns as people write them: when two mean the same, and when they probably do. */

/**
 * Without what people change by accident: case, accents, spaces, punctuation, the star of a required column. What is left
 * are words of letters and digits with one space between them.
 */
export function plainName(name: string): string {
  return wordsOf(name) || name.trim().toLowerCase(); // a name of signs alone is the signs
}

function wordsOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Words that say nothing about which field it is: whose it is, or that it is the usual one. In plain form. */
const emptyWords = new Set(
  `of the a an for s employee employees staff worker person work working corporate company business professional current main primary full
   do da de dos das o no em colaborador colaboradora colaboradores funcionario funcionaria funcionarios pessoa trabalho corporativo
   corporativa empresa empresarial profissional atual principal completo completa
   del la el los las en empleado empleada empleados trabajador trabajadora persona trabajo laboral profesional actual
   der die das des dem den fur vom mitarbeiter mitarbeiters mitarbeiterin mitarbeitende mitarbeitenden angestellte arbeit firma firmen
   dienstlich dienstliche geschaftlich geschaftliche berufliche aktuell aktuelle haupt
   le les l du d au en employe employee employes salarie salaries collaborateur collaboratrice personne travail entreprise
   professionnel professionnelle actuel actuelle complet`
    .split(/\s+/)
    .filter(Boolean),
);

/** Without brackets and empty words: `E-mail do funcionário (corporativo)` is `e mail`. */
function essence(name: string): string {
  const words = wordsOf(name.replace(/\([^)]*\)|\[[^\]]*\]/g, ' ')).split(' ');
  return words.filter((word) => !emptyWords.has(word)).join(' ');
}

/** @returns for a header the key that is meant by a name that is almost the same; undefined for none, and for several */
export function guesser(names: ReadonlyMap<string, string>): (header: string) => string | undefined {
  const known = [...names]
    .map(([name, key]) => ({ key, essence: essence(name) }))
    .filter((each) => each.essence.length > 2);
  return (header) => {
    const wanted = essence(header);
    if (wanted === '') return undefined;
    for (const most of [0, mistypes(wanted)]) {
      const keys = new Set(known.filter((each) => distance(each.essence, wanted, most) <= most).map(({ key }) => key));
      if (keys.size > 0) return keys.size === 1 ? [...keys][0] : undefined;
    }
    return undefined;
  };
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

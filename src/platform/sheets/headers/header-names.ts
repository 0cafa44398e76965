/** Compares column names as people write them: exact and probable matches. */
import { editDistance } from '../../../contract/texts/edit-distance.ts';

/** Normalizes case, accents, spaces, punctuation, and camel case (`EmailAddress`) to words separated by single spaces. */
export function plainName(name: string): string {
  return wordsOf(name) || name.trim().toLowerCase(); // keeps a name that consists only of symbols
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

/** Words that don't distinguish fields, normalized. */
const fillerWords = wordSet(
  `of the a an for s employee employees staff worker person current main primary full
   do da de dos das o no em colaborador colaboradora colaboradores funcionario funcionaria funcionarios pessoa
   atual principal completo completa
   del la el los las en empleado empleada empleados trabajador trabajadora persona actual
   der die das des dem den fur vom mitarbeiter mitarbeiters mitarbeiterin mitarbeitende mitarbeitenden angestellte
   aktuell aktuelle haupt
   le les l du d au en employe employee employes salarie salaries collaborateur collaboratrice personne
   actuel actuelle complet`,
);

/** Words about the company or work: irrelevant for an address or phone, but a name with one isn't a person's. */
const companyWords = wordSet(
  `work working corporate company business professional
   trabalho corporativo corporativa empresa empresarial profissional
   trabajo laboral profesional
   arbeit firma firmen dienstlich dienstliche geschaftlich geschaftliche berufliche
   travail entreprise professionnel professionnelle`,
);

/** Words that alone don't identify a field. */
const genericWords = wordSet('number numero nummer no nr n id code codigo name nome nombre nom date data fecha datum');

function wordSet(words: string): Set<string> {
  return new Set(words.split(/\s+/).filter(Boolean));
}

/** Words in notes that don't change the field. */
const noteWords = wordSet(
  `required mandatory optional read only upload yes must be in the e 164 format obrigatorio obrigatoria opcional obligatorio
   pflichtfeld obligatoire facultatif eur usd brl r mm dd yyyy aaaa tt jjjj year ano jahr`,
);

/** Removes irrelevant notes in brackets: `First Name [Required]` becomes `First Name `; `Email (private)` stays. */
export function withoutNotes(name: string): string {
  return name.replace(/\([^)]*\)|\[[^\]]*\]/g, (note) => {
    const words = wordsOf(note).split(' ').filter(Boolean);
    return words.every((word) => noteWords.has(word) || fillerWords.has(word) || companyWords.has(word)) ? ' ' : note;
  });
}

/** Without notes and irrelevant words: `E-mail do funcionário (corporativo)` is `e mail`. */
function essence(name: string): string {
  const words = wordsOf(withoutNotes(name)).split(' ');
  const core = words.filter((word) => !fillerWords.has(word) && !companyWords.has(word));
  const isOfCompany = words.some((word) => companyWords.has(word));
  return isOfCompany && core.every((word) => genericWords.has(word)) ? '' : core.join(' ');
}

/** @returns a function that finds the key of a similar name; undefined for none or several */
export function guesser(names: ReadonlyMap<string, string>): (header: string) => string | undefined {
  let known: { key: string; name: string; essence: string }[] | undefined;
  return (header) => {
    const core = essence(header);
    if (core === '') return undefined;
    known ??= [...names]
      .map(([name, key]) => ({ key, name, essence: essence(name) }))
      .filter((each) => each.essence.length > 2);
    const isGeneric = genericWords.has(core);
    for (const maxDistance of [0, allowedTypos(core)]) {
      const similar = known.filter((each) => {
        if (isGeneric && each.name !== each.essence) return false; // `Main number` isn't an employee number
        return editDistance(each.essence, core, maxDistance) <= maxDistance && haveSameInitials(each.essence, core);
      });
      const keys = new Set(similar.map(({ key }) => key));
      if (keys.size > 0) return keys.size === 1 ? [...keys][0] : undefined;
    }
    return undefined;
  };
}

/** Typos rarely affect first letters: `Data de emissão` isn't `Data de demissão`. A space may be missing. */
function haveSameInitials(a: string, b: string): boolean {
  const [initialsA, initialsB] = [a, b].map((text) => text.split(' ').map((word) => word[0])) as [string[], string[]];
  return initialsA.length === initialsB.length
    ? initialsA.join('') === initialsB.join('')
    : initialsA[0] === initialsB[0];
}

/** The number of typos allowed; none in a short word. */
function allowedTypos({ length }: string): number {
  return length < 6 ? 0 : length < 12 ? 1 : 2;
}

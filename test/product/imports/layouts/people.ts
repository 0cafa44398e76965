/** The four people in the files of known tools; the first manages the others. */

export interface Person {
  at: number;
  given: string;
  family: string;
  email: string;
  number: string;
  position: string;
  department: string;
  boss: Person | undefined;
}

const names = [
  ['Ines', 'Abreu', 'Planner', 'Fleet'],
  ['Tomé', 'Müller', 'Driver', 'Fleet'],
  ['Maëlle', 'Dubois', 'Analyst', 'Finance'],
  ['Iker', 'Peña Ruiz', 'Clerk', 'Sales'],
] as const;

export const people: Person[] = [];
for (const [at, [given, family, position, department]] of names.entries()) {
  const email = `person${at}@layouts.example`;
  people.push({ at, given, family, email, number: `00${at + 17}`, position, department, boss: people[0] });
}

export function fullName({ given, family }: Person): string {
  return `${given} ${family}`;
}

export function reversedName({ given, family }: Person): string {
  return `${family}, ${given}`;
}

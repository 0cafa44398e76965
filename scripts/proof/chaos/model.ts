// The clients' view: the last acknowledged state of everything, and writes whose outcome is unknown.

/** Compared fields, as the API returns them. */
export interface PersonFields {
  name: string;
  email: string;
  position: string;
  department: string;
  phone: string | null;
  location: string | null;
  salary: number | null;
  status: string;
  role: string;
  deleted: boolean;
}

export interface Person {
  id: string;
  company_id: string;
  fields: PersonFields;
  /** Number of expected history entries, by action. */
  actions: Map<string, number>;
  /** An unacknowledged write, executed at most once. The person is not changed afterwards. */
  doubt: { action: string | undefined; fields: PersonFields } | undefined;
  invited: boolean;
  documents: Document[];
  has_photo: boolean;
}

export interface Document {
  id: string;
  sha256: string;
  deleted: boolean;
}

/** Unacknowledged creations and imports of people. */
export interface Doubts {
  /** Each email address may have at most one person. */
  emails: { company_id: string; email: string }[];
}

export interface ImportRequest {
  company_id: string;
  /** Undefined if there was no response. */
  id: string | undefined;
  emails: string[];
  filename: string;
}

export interface Model {
  people: Person[];
  doubts: Doubts;
  imports: ImportRequest[];
  /** Email addresses with an acknowledged invitation, which must be sent. */
  invited: string[];
  /** Unacknowledged uploads by person. */
  unsureDocuments: Map<string, number>;
}

export function createModel(): Model {
  return { people: [], doubts: { emails: [] }, imports: [], invited: [], unsureDocuments: new Map() };
}

/** Adds an expected history entry. */
export function counted(person: Person, action: string): void {
  person.actions.set(action, (person.actions.get(action) ?? 0) + 1);
}

export interface PersonBody {
  id: string;
  name: string;
  email: string;
  position: string;
  department: string;
  phone?: string | null;
  location?: string | null;
  salary?: number | null;
  status: string;
  role: string;
}

export function fieldsOf(body: PersonBody): PersonFields {
  const { name, email, position, department, phone = null, location = null, salary = null, status, role } = body;
  return { name, email, position, department, phone, location, salary, status, role, deleted: false };
}

/** Lists differences as `field: found instead of wanted`. */
export function differences(expected: PersonFields, found: PersonFields): string[] {
  return (Object.keys(expected) as (keyof PersonFields)[])
    .filter((field) => expected[field] !== found[field])
    .map((field) => `${field}: ${found[field]} instead of ${expected[field]}`);
}

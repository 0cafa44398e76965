// What clients know: the last that was acknowledged of everybody and everything, and what may have happened beyond it.

/** What is compared, as the API shows it. */
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
  /** Entries that the history has to have, by action. */
  actions: Map<string, number>;
  /** A write that was never answered: it was carried out once or not at all. Nobody touches the person after it. */
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

/** Requests without an answer that would have made somebody, and files of them. */
export interface Doubts {
  /** Addresses that at most one person may have. */
  emails: { company_id: string; email: string }[];
}

export interface ImportRequest {
  company_id: string;
  /** Undefined when the request was never answered. */
  id: string | undefined;
  emails: string[];
  filename: string;
}

export interface Model {
  people: Person[];
  doubts: Doubts;
  imports: ImportRequest[];
  /** Addresses to which an acknowledged invitation has to be mailed. */
  invited: string[];
  /** Uploads that were never answered, by person. */
  unsureDocuments: Map<string, number>;
}

export function createModel(): Model {
  return { people: [], doubts: { emails: [] }, imports: [], invited: [], unsureDocuments: new Map() };
}

/** One more entry that the history has to have. */
export function counted(person: Person, action: string): void {
  person.actions.set(action, (person.actions.get(action) ?? 0) + 1);
}

/** Somebody as the API shows them. */
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

/** Each as `field: what it is instead of what it should be`. */
export function differences(wanted: PersonFields, found: PersonFields): string[] {
  return (Object.keys(wanted) as (keyof PersonFields)[])
    .filter((field) => wanted[field] !== found[field])
    .map((field) => `${field}: ${found[field]} instead of ${wanted[field]}`);
}

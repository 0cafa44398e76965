// The people of one client: its own, in a department of their own, so that it always knows what it has to find.
import { randomBytes } from 'node:crypto';
import type { Random } from '../../random/random.ts';
import type { Answer, Client, Send } from './client.ts';
import type { Ledger } from './ledger.ts';
import { counted, fieldsOf, type Model, type Person, type PersonBody, type PersonFields } from './model.ts';

export interface StaffOptions {
  /** Of the client. */
  number: number;
  client: Client;
  model: Model;
  ledger: Ledger;
  random: Random;
}

export interface Staff extends StaffOptions {
  department: string;
  /** Everybody who was acknowledged, deleted ones too. */
  people: Person[];
  /** False once somebody may be there, or not, of whom nobody told us: lists of the department are not exact any more. */
  isExact: boolean;
  /** How many texts were made that nobody else has. */
  readonly serial: number;
  /** One more such text. */
  unique(): string;
  /** Of somebody who is not there yet. */
  newFields(): Pick<PersonFields, 'name' | 'email' | 'position' | 'department'>;
  /** Takes in somebody whose creation was acknowledged. */
  know(body: PersonBody): Person;
  /** Who is not deleted, and in no doubt. */
  living(): Person[];
  /** One of these, by chance; undefined where there is none. */
  someone(holds?: (person: Person) => boolean): Person | undefined;
  /**
   * A write to one person.
   * @param action what the history says about it
   * @param change what it does to the row
   * @returns undefined when it was given up without an answer
   */
  write(
    person: Person,
    operation: string,
    request: Send,
    action: string | undefined,
    change: Partial<PersonFields>,
  ): Promise<Answer | undefined>;
}

export function createStaff(options: StaffOptions): Staff {
  const { number, client, model, random } = options;
  let serial = 0;
  const self: Staff = {
    ...options,
    department: `Department ${number}`,
    people: [],
    isExact: true,
    get serial() {
      return serial;
    },
    unique: () => `${number}-${++serial}-${randomBytes(3).toString('hex')}`,
    newFields() {
      const tag = self.unique();
      const { department } = self;
      return { name: `Person ${tag}`, email: `p${tag}@example.com`, position: `Position ${tag}`, department };
    },
    know(body) {
      const person: Person = {
        id: body.id,
        company_id: client.company_id,
        fields: fieldsOf(body),
        actions: new Map([['created', 1]]),
        doubt: undefined,
        invited: false,
        documents: [],
        has_photo: false,
      };
      self.people.push(person);
      model.people.push(person);
      return person;
    },
    living: () => self.people.filter(({ fields, doubt }) => !fields.deleted && !doubt),
    someone(holds = () => true) {
      const found = self.living().filter(holds);
      return found.length === 0 ? undefined : random.pick(found);
    },
    async write(person, operation, request, action, change) {
      const after = { ...person.fields, ...change };
      const answer = await client.send(operation, request);
      if (!answer) {
        person.doubt = { action, fields: after };
        self.isExact = false;
        return undefined;
      }
      if (answer.status >= 400) return answer;
      person.fields = after;
      if (action) counted(person, action);
      return answer;
    },
  };
  return self;
}

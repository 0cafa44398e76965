// People of one client, in a separate department, so that it always knows what to expect.
import { randomBytes } from 'node:crypto';
import type { Random } from '../../random/random.ts';
import type { ApiRequest, ApiResponse, Client } from './client.ts';
import { counted, fieldsOf, type Model, type Person, type PersonBody, type PersonFields } from './model.ts';
import type { TrafficLog } from './traffic-log.ts';

export interface StaffOptions {
  number: number;
  client: Client;
  model: Model;
  trafficLog: TrafficLog;
  random: Random;
}

export interface Staff extends StaffOptions {
  department: string;
  /** All acknowledged people, including deleted ones. */
  people: Person[];
  /** False once an unacknowledged creation makes the department's lists inexact. */
  isExact: boolean;
  /** Number of unique texts created. */
  readonly serial: number;
  unique(): string;
  newFields(): Pick<PersonFields, 'name' | 'email' | 'position' | 'department'>;
  /** Adds a person whose creation was acknowledged. */
  addPerson(body: PersonBody): Person;
  /** People who are neither deleted nor in doubt. */
  availablePeople(): Person[];
  /** A random matching person; undefined if there is none. */
  someone(matches?: (person: Person) => boolean): Person | undefined;
  /**
   * Writes to one person.
   * @param action history action
   * @param change how it changes the row
   * @returns undefined when it gave up without a response
   */
  write(
    person: Person,
    operation: string,
    request: ApiRequest,
    action: string | undefined,
    change: Partial<PersonFields>,
  ): Promise<ApiResponse | undefined>;
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
    addPerson(body) {
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
    availablePeople: () => self.people.filter(({ fields, doubt }) => !fields.deleted && !doubt),
    someone(matches = () => true) {
      const found = self.availablePeople().filter(matches);
      return found.length === 0 ? undefined : random.pick(found);
    },
    async write(person, operation, request, action, change) {
      const after = { ...person.fields, ...change };
      const response = await client.send(operation, request);
      if (!response) {
        person.doubt = { action, fields: after };
        self.isExact = false;
        return undefined;
      }
      if (response.status >= 400) return response;
      person.fields = after;
      if (action) counted(person, action);
      return response;
    },
  };
  return self;
}

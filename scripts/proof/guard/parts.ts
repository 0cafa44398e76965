// Building blocks of statements: names, conditions, and attempts to bypass the guard.
import type { Random } from '../../random/random.ts';

/** A relation in scope: its name in the statement, and its columns. */
export interface Visible {
  name: string;
  /** A uuid column: the company, if the table has one. */
  company?: string;
  id?: string;
  number?: string;
  isTenantTable: boolean;
}

/** Names in scope. */
export interface Scope {
  tables: readonly Visible[];
  queries: readonly string[];
  depth: number;
}

/** Each has the columns company_id, id, n, and name. */
export const tenantTableNames = ['collaborators', 'events', 'documents'] as const;

/** Rare, so that most statements are rejected for at most one reason. */
const hostileShare = 0.015;

const hostileFunctions = [
  `length(query_to_xml('select name from collaborators', true, false, '')::text)`,
  `length(table_to_xml('events', true, false, '')::text)`,
  `(select count(*)::int from ts_stat('select to_tsvector(name) from documents'))`,
  `(select count(*)::int from (select f1.ts_stat from unnest(array['select to_tsvector(name) from events']) as f1) as f2)`,
  `(select count(*)::int from (select ('select to_tsvector(name) from events'::text).ts_stat) as f3)`,
];

export class Parts {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  chance(share: number): boolean {
    return this.random.next() < share;
  }

  hostile(times = 1): boolean {
    return this.chance(hostileShare * times);
  }

  /** @param here names in the same `from` */
  alias(scope: Scope, here: readonly string[]): string {
    const visible = scope.tables.map(({ name }) => name);
    if (this.hostile()) return this.random.pick([...tenantTableNames, 'excluded', 'old', 'companies', ...visible]);
    if (visible.length > 0 && this.hostile(2)) return this.random.pick(visible);
    const free = [...'abcdefghijkmnop'].filter((name) => !visible.includes(name) && !here.includes(name));
    return this.random.pick(free);
  }

  /** Binds a tenant table's rows to the company, or seems to. */
  binding(table: string, others: readonly Visible[], isAlone: boolean): string {
    const { random } = this;
    const known = others.filter(({ name, company }) => company === 'company_id' && name !== table);
    // A name that also exists outside, so that one may be mistaken for the other.
    if (others.some(({ name }) => name === table) && this.chance(0.5))
      return `${table}.company_id = ${table}.company_id`;
    if (this.hostile(2)) {
      const other = known.length > 0 ? random.pick(known).name : table;
      return random.pick([
        `${table}.company_id = $2`,
        `${table}.company_id = ${table}.company_id`,
        `${table}.company_id::text::char(8) = ($1::uuid)::text::char(8)`,
        `(${table}.company_id = $1 or ${table}.n = 1)`,
        `not (${table}.company_id <> $1 and ${table}.n = 1)`,
        `${table}.company_id = coalesce($1, $2)`,
        `${table}.company_id = any (array[$1::uuid, $2::uuid])`,
        `${other}.company_id = $1`,
        `${table}.company_id >= $1`,
      ]);
    }
    if (isAlone && this.chance(0.15)) return 'company_id = $1';
    if (known.length > 0 && this.chance(0.35)) return `${table}.company_id = ${random.pick(known).name}.company_id`;
    return random.pick([`${table}.company_id = $1`, `$1 = ${table}.company_id`, `${table}.company_id = $1::uuid`]);
  }

  company(tables: readonly Visible[]): string {
    const known = tables.filter(({ company }) => company);
    if (this.hostile()) return '$2::uuid';
    if (known.length === 0 || this.chance(0.3)) return '$1::uuid';
    const { name, company } = this.random.pick(known);
    return `${name}.${company}`;
  }

  number(tables: readonly Visible[]): string {
    if (this.hostile(0.5)) return this.random.pick(hostileFunctions);
    const columns = tables.flatMap(({ name, id, number }) =>
      [id, number].flatMap((column) => (column ? `${name}.${column}` : [])),
    );
    return columns.length === 0 || this.chance(0.15) ? String(this.random.below(4)) : this.random.pick(columns);
  }

  /** A condition that is true for some rows. @param query creates a query with one numeric column */
  condition(tables: readonly Visible[], query: () => string): string {
    const { random } = this;
    const some = () => this.number(tables);
    const simple = [
      () => `${some()} ${random.pick(['=', '<', '>=', '<>'])} ${some()}`,
      () => `${some()} is not null`,
      () => `${some()} in (1, 2)`,
      () => `(${some()} = ${some()} or ${some()} < 3)`,
      () => `case when ${some()} = 1 then ${some()} > 0 else true end`,
      () => `${this.company(tables)} = ${this.company(tables)}`,
    ];
    const nested = [
      () => `exists (${query()})`,
      () => `not exists (${query()})`,
      () => `${some()} in (${query()})`,
      () => `${some()} = any (array(${query()}))`,
    ];
    return random.pick(this.chance(0.25) ? nested : simple)();
  }
}

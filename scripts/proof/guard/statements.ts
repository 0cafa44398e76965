// Generates random statements: most should pass the guard, some contain a trap.
// Results do not depend on the query plan: no ambiguous order, no limit, one data modification per statement.
import type { Random } from '../../random/random.ts';
import { Parts, type Scope, tenantTableNames, type Visible } from './parts.ts';

const maxDepth = 3;
const columns = { company: 'company_id', id: 'id', number: 'n' };

/** @returns a statement with the parameters $1, the company, and $2, another one */
export function makeStatement(random: Random): string {
  return new Statements(random).statement();
}

interface From {
  sql: string;
  tables: Visible[];
  /** Conditions outside joins. */
  conditions: string[];
}

class Statements extends Parts {
  statement(): string {
    const top: Scope = { tables: [], queries: [], depth: 0 };
    if (this.hostile(0.5)) return this.#hiddenTarget();
    if (this.chance(0.5)) return this.#rows(top, 0.25);
    const { head, scope } = this.#with(top, 0.25);
    const change = this.random.pick([this.#update, this.#delete, this.#insert]);
    return head + change.call(this, scope);
  }

  /** Common table expressions. */
  #with(scope: Scope, share: number): { head: string; scope: Scope } {
    if (!this.chance(share) || scope.depth >= maxDepth) return { head: '', scope };
    if (this.chance(0.2)) return this.#recursive(scope);
    const queries: string[] = [];
    const names: string[] = [];
    for (let count = 1 + this.random.below(2); count > 0; count--) {
      const inside = { ...scope, queries: [...scope.queries, ...names], depth: scope.depth + 1 };
      const free = ['q', 'r', 's', 't', 'u', 'v'].filter((each) => !inside.queries.includes(each));
      const name = this.hostile(4)
        ? this.random.pick([...tenantTableNames, 'everybody', ...names, 'q'])
        : this.random.pick(free);
      const isTrap = [...tenantTableNames, 'everybody'].includes(name) && this.chance(0.7);
      const body = isTrap ? `select company_id, id, n, name from ${name}` : this.#rows(inside);
      queries.push(`${name} as ${this.random.pick(['', 'materialized '])}(${body})`);
      names.push(name);
    }
    const head = `with ${this.hostile() ? 'recursive ' : ''}${queries.join(', ')} `;
    return { head, scope: { ...scope, queries: [...scope.queries, ...names] } };
  }

  #recursive(scope: Scope): { head: string; scope: Scope } {
    const [first, second] = [this.random.pick(tenantTableNames), this.random.pick(tenantTableNames)];
    const visible = { ...columns, isTenantTable: true };
    const from = this.binding('x', [], false);
    const on = this.binding('y', [{ name: 'w', ...visible }], false);
    const head = `with recursive w as (select x.company_id, x.id, x.n, x.name from ${first} as x where ${from}
      union select y.company_id, y.id, y.n, y.name from ${second} as y join w on w.id = y.n where ${on}) `;
    return { head, scope: { ...scope, queries: [...scope.queries, 'w'] } };
  }

  /** A CTE with the name of the modified table. */
  #hiddenTarget(): string {
    const table = this.random.pick(tenantTableNames);
    const head = `with ${table} as (select $1::uuid as company_id, 1 as id, 2 as n) `;
    return head + this.random.pick([`update ${table} as z set n = 7`, `delete from ${table} as z where z.id = 1`]);
  }

  /** A query with the columns company_id, id, n, and name. */
  #rows(scope: Scope, namedShare = 0.06): string {
    const named = this.#with(scope, namedShare);
    const select = () => this.#select(named.scope, (tables) => this.#columns(tables));
    if (!this.chance(0.1) || scope.depth >= maxDepth) return named.head + select();
    const operator = this.random.pick(['union', 'union all', 'intersect', 'except', 'except all']);
    return `${named.head}(${select()}) ${operator} (${select()})`;
  }

  #columns(tables: readonly Visible[]): { select: string; group: string } {
    if (this.chance(0.2)) {
      const sums = `count(*)::int as id, coalesce(sum(${this.number(tables)}), 0)::int as n, 'x' as name`;
      const key = tables.filter(({ company }) => company)[0];
      const by = key && this.chance(0.5) ? `${key.name}.${key.company}` : undefined;
      const having = by && this.chance(0.3) ? ' having count(*) > 1' : '';
      return { select: `${by ?? '$1::uuid'} as company_id, ${sums}`, group: by ? ` group by ${by}${having}` : '' };
    }
    const [id, n] = [this.number(tables), this.number(tables)];
    const distinct = this.chance(0.1) ? 'distinct ' : '';
    return {
      select: `${distinct}${this.company(tables)} as company_id, ${id} as id, ${n} as n, 'y' as name`,
      group: '',
    };
  }

  /** A query with one numeric column; a single row if `isOne`. */
  #numbers(scope: Scope, isOne = false): string {
    return this.#select(scope, (tables) => {
      if (!isOne) return { select: this.number(tables), group: '' };
      const figure = this.random.pick([
        'count(*)::int',
        `max(${this.number(tables)})`,
        `sum(${this.number(tables)})::int`,
      ]);
      return { select: figure, group: '' };
    });
  }

  #select(scope: Scope, columnsOf: (tables: readonly Visible[]) => { select: string; group: string }): string {
    const inside = { ...scope, depth: scope.depth + 1 };
    const from = this.#from(inside, [], 1 + this.random.below(inside.depth > 1 ? 2 : 3));
    const visible = { ...inside, tables: [...inside.tables, ...from.tables] };
    const { select, group } = columnsOf(this.chance(0.2) ? visible.tables : from.tables);
    const extra = this.#scalar(visible, group !== '' || /^(count|max|sum)\(/.test(select));
    const where = this.#where(visible, from.conditions);
    return `select ${extra ? select.replace(/ as n, /, ` + ${extra} as n, `) : select} from ${from.sql}${where}${group}`;
  }

  /** Sometimes a scalar subquery. */
  #scalar(visible: Scope, isGrouped: boolean): string {
    if (isGrouped || visible.depth >= maxDepth || !this.chance(0.15)) return '';
    return `coalesce((${this.#numbers(visible, true)}), 0)`;
  }

  #where(visible: Scope, conditions: readonly string[]): string {
    const more = Array.from({ length: this.random.below(3) }, () => this.#condition(visible));
    const all = this.random.shuffled([...conditions, ...more]);
    if (all.length === 0) return '';
    return this.hostile() ? ` where ${all.join(' or ')}` : ` where ${all.join(' and ')}`;
  }

  #condition(visible: Scope): string {
    const query = () => this.#numbers(visible);
    return visible.depth >= maxDepth ? `${this.number(visible.tables)} <> 3` : this.condition(visible.tables, query);
  }

  /** @param beside relations already in scope: the target of a modification */
  #from(scope: Scope, beside: readonly Visible[], count: number): From {
    let sql = '';
    const conditions: string[] = [];
    const tables: Visible[] = [];
    const tenants = beside.filter(({ isTenantTable }) => isTenantTable).length;
    for (let at = 0; at < count; at++) {
      const here = [...beside, ...tables].map(({ name }) => name);
      const next = this.#item({ ...scope, tables: [...scope.tables, ...beside, ...tables] }, here, scope);
      const others = [...scope.tables, ...beside, ...tables];
      const bind = () => {
        if (!next.table.isTenantTable || this.hostile()) return [];
        const isAlone = count === 1 && tenants === 0 && beside.length === 0;
        return [this.binding(next.table.name, others, isAlone)];
      };
      const join =
        at === 0
          ? ''
          : this.random.pick([', ', ' join ', ' left join ', ' right join ', ' full join ', ' cross join ']);
      tables.push(next.table);
      if (at === 0 || join === ', ' || join === ' cross join ') {
        sql += join + next.sql;
        conditions.push(...bind());
        continue;
      }
      const equal = `${this.number(tables.slice(0, -1))} = ${next.table.name}.${next.table.id ?? next.table.number}`;
      // In `on`, it binds only the optional side of an outer join; putting it there for the preserved side is a trap.
      const isOn = join === ' join ' || (join === ' left join ' ? this.chance(0.6) : this.hostile());
      sql += `${join}${next.sql} on ${[equal, ...(isOn ? bind() : [])].join(' and ')}`;
      if (!isOn) conditions.push(...bind());
    }
    return { sql, tables, conditions };
  }

  /** A table or subquery. @param lateral scope of a lateral subquery */
  #item(lateral: Scope, here: readonly string[], scope: Scope): { sql: string; table: Visible } {
    const kind = this.random.next();
    const name = this.alias(lateral, here);
    if (kind < 0.6) return this.#tenantTable(name, here);
    if (kind < 0.68) {
      const table = { name, company: 'id', number: 'n', isTenantTable: false };
      return { sql: `companies as ${name}`, table };
    }
    if (kind < 0.72) return { sql: `memberships as ${name}`, table: { name, ...columns, isTenantTable: false } };
    if (kind < 0.78) {
      const call = this.random.pick(['unnest(array[1, 2])', 'unnest(array[1, 3])']);
      return { sql: `${call} as ${name} (id)`, table: { name, id: 'id', isTenantTable: false } };
    }
    if (this.hostile()) return { sql: `everybody as ${name}`, table: { name, ...columns, isTenantTable: false } };
    if (scope.queries.length > 0 && kind < 0.93) {
      const query = this.random.pick(scope.queries);
      const own = this.chance(0.5) && ![...here, ...lateral.tables.map((each) => each.name)].includes(query);
      return {
        sql: own ? query : `${query} as ${name}`,
        table: { name: own ? query : name, ...columns, isTenantTable: false },
      };
    }
    if (scope.depth >= maxDepth) return this.#tenantTable(name, here);
    const isLateral = this.chance(0.4);
    const sql = `${isLateral ? 'lateral ' : ''}(${this.#rows(isLateral ? lateral : scope)}) as ${name}`;
    return { sql, table: { name, ...columns, isTenantTable: false } };
  }

  #tenantTable(alias: string, here: readonly string[]): { sql: string; table: Visible } {
    const of = this.random.pick(tenantTableNames);
    const own = this.chance(0.3) && !here.includes(of);
    const table = { name: own ? of : alias, ...columns, isTenantTable: true };
    const schema = this.chance(0.05) ? 'public.' : '';
    const renamed = this.hostile(0.5) ? ' (id2, company_id)' : '';
    return { sql: own ? schema + of : `${schema}${of} as ${alias}${renamed}`, table };
  }

  #target(scope: Scope): { table: string; named: Visible; sql: string } {
    const table = this.random.pick(tenantTableNames);
    const alias = this.chance(0.4) ? this.alias(scope, []) : table;
    const sql = alias === table ? table : `${table} as ${alias}`;
    return { table, named: { name: alias, ...columns, isTenantTable: true }, sql };
  }

  /** The modified rows, and those they are compared with. */
  #changed(scope: Scope, named: Visible, word: string): string {
    const beside = this.chance(0.4) ? this.#from({ ...scope, depth: scope.depth + 1 }, [named], 1) : undefined;
    const tables = [named, ...(beside?.tables ?? [])];
    const bound = this.hostile() ? [] : [this.binding(named.name, beside?.tables ?? [], !beside)];
    const visible = { ...scope, tables, depth: scope.depth + 1 };
    return `${beside ? ` ${word} ${beside.sql}` : ''}${this.#where(visible, [...bound, ...(beside?.conditions ?? [])])}`;
  }

  #update(scope: Scope): string {
    const { named, sql } = this.#target(scope);
    const value = this.random.pick([
      '7',
      `${named.name}.n + 1`,
      `coalesce((${this.#numbers({ ...scope, tables: [named], depth: 1 }, true)}), 5)`,
    ]);
    const company = this.hostile() ? `, company_id = ${this.random.pick(['$1', '$2'])}` : '';
    return `update ${sql} set n = ${value}${company}${this.#changed(scope, named, 'from')}${this.#returning(named)}`;
  }

  #delete(scope: Scope): string {
    const { named, sql } = this.#target(scope);
    return `delete from ${sql}${this.#changed(scope, named, 'using')}${this.#returning(named)}`;
  }

  #insert(scope: Scope): string {
    const { named, sql } = this.#target(scope);
    const row = () => {
      const company = this.hostile(3) ? this.random.pick(['$2', 'gen_random_uuid()', 'default']) : '$1';
      return `(${company}, ${this.random.below(8)}, ${this.random.below(3)}, 'new')`;
    };
    const select = () => {
      const query = this.#rows(scope);
      if (this.hostile(2)) return query;
      return `select ${this.hostile() ? 'z.*, ' : ''}$1::uuid, z.id, z.n, z.name from (${query}) as z`;
    };
    const star = `select z.*, $2::uuid, $1::uuid, 9, 'z' from (select) as z`;
    const from = this.hostile() ? star : this.chance(0.5) ? select() : `values ${row()}, ${row()}`;
    const order = from === star ? 'name, company_id, id, n' : 'company_id, id, n, name';
    const conflict = this.chance(0.6) ? this.#conflict(scope, named) : '';
    return `insert into ${sql} (${order}) ${from}${conflict}${this.#returning(named)}`;
  }

  #conflict(scope: Scope, named: Visible): string {
    if (this.chance(0.4))
      return this.random.pick([' on conflict do nothing', ' on conflict (company_id, id) do nothing']);
    const tables = [named, { ...named, name: 'excluded' }];
    const visible = { ...scope, tables, depth: 1 };
    const value = this.random.pick([
      'excluded.n',
      `${named.name}.n + 1`,
      `coalesce((${this.#numbers(visible, true)}), 5)`,
    ]);
    const company = this.hostile() ? ', company_id = $2' : '';
    const where = this.chance(0.2) ? ` where ${this.#condition(visible)}` : '';
    return ` on conflict (company_id, id) do update set n = ${value}${company}${where}`;
  }

  #returning(named: Visible): string {
    if (!this.chance(0.4)) return '';
    return ` returning ${named.name}.id, ${this.random.pick([`${named.name}.n`, `${named.name}.*`, `(${this.#numbers({ tables: [named], queries: [], depth: 1 }, true)})`])}`;
  }
}

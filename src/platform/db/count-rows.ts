import type { SelectQueryBuilder } from 'kysely';

export async function countRows<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const counting = query.select(({ fn }) => fn.countAll<number>().as('number')).$castTo<{ number: number }>();
  return (await counting.executeTakeFirstOrThrow()).number;
}

/** Backdates a time by an SQL interval. Converts it, because Citus rejects adding intervals to a timestamptz in updates. */
export function backdated(column: string, by: string): string {
  return `${column} = (${column} at time zone 'utc' - ${by}) at time zone 'utc'`;
}

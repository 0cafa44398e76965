/**
 * Backdates a time, for `update … set`. Citus rejects adding an interval to a timestamp with time zone in an update,
 * hence the conversion.
 * @param by interval, as SQL
 */
export function movedBack(column: string, by: string): string {
  return `${column} = (${column} at time zone 'utc' - ${by}) at time zone 'utc'`;
}

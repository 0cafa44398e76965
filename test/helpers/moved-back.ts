/**
 * For `update … set`: makes a time older. A time and an interval can not be added up in a change of a cluster's tables, unless
 * the time is one without a time zone.
 * @param by an interval, as SQL
 */
export function movedBack(column: string, by: string): string {
  return `${column} = (${column} at time zone 'utc' - ${by}) at time zone 'utc'`;
}

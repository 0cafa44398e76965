/** Where the parts of a Postgres are, as its `pg_config` tells. */
export interface Postgres {
  pg_config: string;
  /** For example 15. */
  version: number;
  bin: string;
  /** Of modules that it loads. */
  modules: string;
  share: string;
  /** Of the headers that extensions are compiled with. */
  headers: string;
}

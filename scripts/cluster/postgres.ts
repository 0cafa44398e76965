/** Folders of a Postgres installation, from `pg_config`. */
export interface Postgres {
  pg_config: string;
  /** Major version, for example 15. */
  version: number;
  bin: string;
  /** Loadable modules. */
  modules: string;
  share: string;
  headers: string;
}

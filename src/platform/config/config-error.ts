/** Settings that can't be used; its message names each of them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

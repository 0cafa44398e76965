/** Invalid settings; the message names each of them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

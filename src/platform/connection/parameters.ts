/** Query parameters of a database URL, handled as text because the URL may have no host, or several. */

/** The URL with other parameters; undefined removes one. */
export function withParameters(url: string, changed: Record<string, string | undefined>): string {
  const { base, parameters } = partsOf(url);
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  // Percent-encoding: other parsers may read + literally.
  const query = parameters.toString().replaceAll('+', '%20');
  return query ? `${base}?${query}` : base;
}

export function parametersOf(url: string): URLSearchParams {
  return partsOf(url).parameters;
}

function partsOf(url: string): { base: string; parameters: URLSearchParams } {
  const at = url.indexOf('?');
  if (at < 0) return { base: url, parameters: new URLSearchParams() };
  return { base: url.slice(0, at), parameters: new URLSearchParams(url.slice(at + 1)) };
}

/** The URL of another database on the same server. */
export function withDatabaseName(url: string, name: string): string {
  const { base, parameters } = partsOf(url);
  const host = /^[a-z]+:\/\/[^/]*/i.exec(base)![0];
  const query = parameters.toString().replaceAll('+', '%20');
  return `${host}/${encodeURIComponent(name)}${query && `?${query}`}`;
}

/** Custom fetch function for orval: base URL, token, and response parsing. */
export async function send<T>(path: string, { headers, ...options }: RequestInit): Promise<T> {
  const all = new Headers(headers);
  all.set('authorization', `Bearer ${process.env.ACCESS_TOKEN}`);
  // For operations with JSON and a form, orval sends JSON without a content type.
  if (typeof options.body === 'string' && !all.has('content-type')) all.set('content-type', 'application/json');
  const response = await fetch(`${process.env.BASE_URL}${path}`, { ...options, headers: all });
  return { status: response.status, headers: response.headers, data: await response.json() } as T;
}

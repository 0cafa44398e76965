/** What the functions of orval send their requests with: the address, the token, and how an answer is read. */
export async function send<T>(path: string, { headers, ...options }: RequestInit): Promise<T> {
  const all = new Headers(headers);
  all.set('authorization', `Bearer ${process.env.ACCESS_TOKEN}`);
  // Where an operation takes JSON and a form, orval sends JSON, and leaves it to this function to say so.
  if (typeof options.body === 'string' && !all.has('content-type')) all.set('content-type', 'application/json');
  const answer = await fetch(`${process.env.BASE_URL}${path}`, { ...options, headers: all });
  return { status: answer.status, headers: answer.headers, data: await answer.json() } as T;
}

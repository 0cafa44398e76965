/** What the functions of orval send their requests with: the address, the token, and how an answer is read. */
export async function send<T>(path: string, { headers, ...options }: RequestInit): Promise<T> {
  const all = new Headers(headers);
  all.set('authorization', `Bearer ${process.env.ACCESS_TOKEN}`);
  const answer = await fetch(`${process.env.BASE_URL}${path}`, { ...options, headers: all });
  return { status: answer.status, headers: answer.headers, data: await answer.json() } as T;
}

/** Sends each request of the guide for automation tools as printed, in order, and compares the response. */
import { readFile } from 'node:fs/promises';
import { type TestApp, testApp } from '../../helpers/app.ts';

const companyInGuide = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
let app: TestApp;

beforeAll(async () => {
  app = await testApp();
});

afterAll(() => app?.close());

interface Printed {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  status: number;
}

async function printedRequests(): Promise<Printed[]> {
  const text = await readFile(new URL('../../../docs/guides/automation.md', import.meta.url), 'utf8');
  return [...text.matchAll(/```http\n(.*?)```\s+Response: (\d{3})/gs)].map(([, request, status]) => {
    const [head, ...body] = request!.split('\n\n');
    const [first, ...lines] = head!.trim().split('\n');
    const [method, path] = first!.split(' ') as [string, string];
    return {
      method,
      path,
      headers: Object.fromEntries(lines.map((line) => line.split(': ') as [string, string])),
      body: body.join('\n\n'),
      status: Number(status),
    };
  });
}

test('every request works as printed', async () => {
  const text = await readFile(new URL('../../../docs/guides/automation.md', import.meta.url), 'utf8');
  const requests = await printedRequests();
  expect(requests).toHaveLength(text.match(/```http/g)!.length);
  const responses: Record<string, { id: string; ids: string[]; hire_date: string; data: unknown[] }> = {};
  for (const { method, path, headers, body, status } of requests) {
    const all: Record<string, string> = { ...headers, Authorization: `Bearer ${app.admin.token}` };
    if (all['X-Company-Id'] === companyInGuide) all['X-Company-Id'] = app.company_id;
    const response = await fetch(app.base_url + path, { method, headers: all, body: body || null });
    const content = await response.text();
    expect({ path, status: response.status, content }).toEqual({ path, status, content });
    responses[path] = JSON.parse(content);
  }
  const subscribed = responses['/v1/webhooks/perform-subscribe']!;
  expect(responses['/v1/webhooks/perform-unsubscribe']!.ids).toEqual([subscribed.id]);
  const samples = responses['/v1/webhooks/perform-list?event=collaborator.created'] as unknown as object[];
  expect(samples.length).toBeGreaterThan(0);
  const nested = samples.flatMap((sample) => Object.values(sample)).filter((value) => value instanceof Object);
  expect(nested).toEqual([]);
  expect(responses['/v1/collaborators']!.hire_date).toBe('2026-03-02');
  expect(responses['/v1/collaborators?limit=100']!.data).not.toHaveLength(0);
});

/**
 * Each statement that a test file has the application send is judged by the rules of a cluster (`statements/judge.ts`), and
 * the file fails when one breaks them: so what a cluster refuses is found by whoever writes it, without one.
 *
 * Connections are told apart by the name that they give to Postgres: tests look at tables and break them in whatever way.
 */
import pg from 'pg';
import { judge } from './statements/judge.ts';

const texts = new Set<string>();

type Sent = string | { text?: unknown } | null | undefined;

/** Not in its types. */
interface Named extends pg.Client {
  connectionParameters: { application_name?: string };
}

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: Named, ...sent: [Sent, ...unknown[]]) {
  const text = typeof sent[0] === 'string' ? sent[0] : sent[0]?.text;
  const { application_name: applicationName } = this.connectionParameters;
  if (typeof text === 'string' && applicationName?.startsWith('collaborator-api')) texts.add(text);
  return (query as (...sent: unknown[]) => unknown).apply(this, sent);
} as typeof query;

afterAll(() => {
  const refused = [...texts].flatMap((text) => {
    const rules = brokenBy(text);
    return rules.length > 0 ? [{ rules, text }] : [];
  });
  expect(refused).toEqual([]);
});

function brokenBy(text: string): string[] {
  try {
    return judge(text);
  } catch {
    return []; // no SQL: any Postgres refuses it
  }
}

/**
 * Fails a test file if the application sent a statement that breaks a cluster rule (`statements/citus-rules.ts`), so
 * incompatible statements are found without a cluster.
 *
 * Recognizes the application's connections by their application name: the tests' own may send anything.
 */
import pg from 'pg';
import { brokenRules } from '../helpers/statements/citus-rules.ts';

const texts = new Set<string>();

type Sent = string | { text?: unknown } | null | undefined;

/** Missing from the types of pg. */
interface NamedClient extends pg.Client {
  connectionParameters: { application_name?: string };
}

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: NamedClient, ...sent: [Sent, ...unknown[]]) {
  const text = typeof sent[0] === 'string' ? sent[0] : sent[0]?.text;
  const { application_name: applicationName } = this.connectionParameters;
  if (typeof text === 'string' && applicationName?.startsWith('collaborator-api')) texts.add(text);
  return (query as (...sent: unknown[]) => unknown).apply(this, sent);
} as typeof query;

afterAll(() => {
  pg.Client.prototype.query = query; // the next file of this worker watches its own statements
  const refused = [...texts].flatMap((text) => {
    const rules = brokenRules(text);
    return rules.length > 0 ? [{ rules, text }] : [];
  });
  expect(refused).toEqual([]);
});

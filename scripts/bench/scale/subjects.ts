// Companies under test, with requests sent by their admin.
import type pg from 'pg';
import { signIn } from '../../run/sign-in.ts';
import { type Asked, ask } from '../harness/send-request.ts';
import { startServer } from '../harness/servers.ts';
import type { FilledScale, Measured } from './fill-people.ts';

export interface Subject {
  name: string;
  company: Measured;
  client: pg.Client;
  base_url: string;
  headers: Record<string, string>;
  /** Number of requests so far, which makes each one unique. */
  asked: number;
  /** A position far into the list by name. */
  cursor: string;
}

export interface AskedCase {
  name: string;
  /** A request; `n` is its number. */
  send(subject: Subject, n: number): Asked;
  /** Expected status. Default: 200. */
  status?: number;
}

export async function startService(url: string, { encryption_key: ENCRYPTION_KEY }: FilledScale): Promise<string> {
  const limits = { RATE_LIMIT_REQUESTS_PER_MIN: '100000000', RATE_LIMIT_WRITES_PER_MIN: '100000000' };
  return startServer(['src/main.ts', 'api'], {
    DATABASE_URL: url,
    ENCRYPTION_KEY,
    LOG_LEVEL: 'info',
    ...limits,
  });
}

export async function subjectOf(
  name: string,
  client: pg.Client,
  baseUrl: string,
  { client_id: clientId }: FilledScale,
  company: Measured,
): Promise<Subject> {
  const { access_token: accessToken } = await signIn({ base_url: baseUrl, client_id: clientId, ...company });
  const headers = { authorization: `Bearer ${accessToken}`, 'x-company-id': company.company_id };
  const subject = { name, company, client, base_url: baseUrl, headers, asked: 0, cursor: '' };
  const pages = Math.min(100, Math.max(1, Math.floor(company.people / 200)));
  for (let page = 0; page < pages; page++) {
    const path = `/collaborators?sort=name&limit=100${subject.cursor && `&cursor=${subject.cursor}`}`;
    const { body } = await ask(subject, { path });
    subject.cursor = JSON.parse(body).pagination.nextCursor ?? subject.cursor;
  }
  return subject;
}

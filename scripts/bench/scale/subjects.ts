// Companies under test, with requests sent by their admin.
import type pg from 'pg';
import { signIn } from '../../run/sign-in.ts';
import { type ApiRequest, sendRequest } from '../harness/send-request.ts';
import { startServer } from '../harness/servers.ts';
import type { FilledScale, MeasuredCompany } from './fill-people.ts';

export interface Subject {
  name: string;
  company: MeasuredCompany;
  client: pg.Client;
  base_url: string;
  headers: Record<string, string>;
  /** Number of requests so far, which makes each one unique. */
  requestCount: number;
  /** A position far into the list by name. */
  cursor: string;
}

export interface OperationCase {
  name: string;
  /** A request; `n` is its number. */
  send(subject: Subject, n: number): ApiRequest;
  /** Expected status. Default: 200. */
  status?: number;
}

export async function startService(url: string, { encryption_key: ENCRYPTION_KEY }: FilledScale): Promise<string> {
  return startServer(['src/main.ts', 'api'], { DATABASE_URL: url, ENCRYPTION_KEY, LOG_LEVEL: 'info' });
}

export async function subjectOf(
  name: string,
  client: pg.Client,
  baseUrl: string,
  { client_id: clientId }: FilledScale,
  company: MeasuredCompany,
): Promise<Subject> {
  const { access_token: accessToken } = await signIn({ base_url: baseUrl, client_id: clientId, ...company });
  const headers = { authorization: `Bearer ${accessToken}`, 'x-company-id': company.company_id };
  const subject = { name, company, client, base_url: baseUrl, headers, requestCount: 0, cursor: '' };
  const pages = Math.min(100, Math.max(1, Math.floor(company.people / 200)));
  for (let page = 0; page < pages; page++) {
    const path = `/collaborators?sort=name&limit=100${subject.cursor && `&cursor=${subject.cursor}`}`;
    const { body } = await sendRequest(subject, { path });
    subject.cursor = JSON.parse(body).pagination.nextCursor ?? subject.cursor;
  }
  return subject;
}

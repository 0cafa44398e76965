/** What a request is told that never gets to the application: the same form, and the same headers, as all errors have. */
import type { RequestListener } from 'node:http';
import { Problem } from '../../contract/problem.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { requestIdOf } from '../http/request-id.ts';
import { commonHeaders } from '../http/respond.ts';

interface EarlyAnswer {
  status: number;
  headers: Record<string, string | number>;
  body: string;
}

/** @param headers of every answer, with the `X-Request-Id` of this one */
export function earlyAnswer(problem: Problem, headers: Record<string, string>): EarlyAnswer {
  const body = JSON.stringify(problem.body());
  const content = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) };
  return { status: problem.status, headers: { ...headers, ...commonHeaders, ...problem.headers, ...content }, body };
}

/**
 * Answers while there is nothing yet to answer with.
 * @param headers of every answer
 */
export function stillStarting(headers: Record<string, string>, log: Logger): RequestListener {
  return (req, res) => {
    const problem = new Problem(503, 'service_unavailable', 'The service is starting.', {
      headers: { 'Retry-After': '1' },
    });
    const request_id = requestIdOf(req);
    const answer = earlyAnswer(problem, { ...headers, 'X-Request-Id': request_id });
    log.info({ request_id, method: req.method, status: answer.status }, 'request before the service is ready');
    res.writeHead(answer.status, answer.headers).end(answer.body);
  };
}

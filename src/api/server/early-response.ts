/** Responses without the application, with the format and headers of all errors. */
import type { RequestListener } from 'node:http';
import { type Language, requestedLanguage } from '../../contract/languages/language.ts';
import { t } from '../../contract/languages/text.ts';
import { Problem } from '../../contract/problem.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { requestIdOf } from '../http/observe/request-id.ts';
import { languageHeaders } from '../http/responses/reader-language.ts';
import { commonHeaders } from '../http/responses/respond.ts';

interface EarlyResponse {
  status: number;
  headers: Record<string, string | number>;
  body: string;
}

export function earlyResponse(problem: Problem, headers: Record<string, string>, language: Language): EarlyResponse {
  const body = JSON.stringify(problem.body(language));
  const content = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) };
  const contentLanguage = languageHeaders(language, undefined);
  return {
    status: problem.status,
    headers: { ...headers, ...commonHeaders, ...contentLanguage, ...problem.headers, ...content },
    body,
  };
}

export function stillStarting(headers: Record<string, string>, log: Logger): RequestListener {
  return (req, res) => {
    const problem = new Problem(503, 'service_unavailable', t`The service is starting.`, {
      headers: { 'Retry-After': '1' },
    });
    const requestId = requestIdOf(req);
    const language = requestedLanguage(req.headers['accept-language']);
    const response = earlyResponse(problem, { ...headers, 'X-Request-Id': requestId }, language);
    log.info(
      { request_id: requestId, method: req.method, status: response.status },
      'request before the service was ready',
    );
    res.writeHead(response.status, response.headers).end(response.body);
  };
}

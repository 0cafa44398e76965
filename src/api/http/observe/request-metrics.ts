/** Observes one request from start to end: metrics, trace, and slowness. */
import type { IncomingMessage } from 'node:http';
import { type Activity, inActivity } from '../../../platform/observe/activity.ts';
import { groupOf, type RequestMeter } from '../../../platform/observe/requests.ts';
import type { Tracer } from '../../../platform/observe/span.ts';
import type { RequestLog } from './request-log.ts';

export interface RequestMetrics {
  meter: RequestMeter;
  tracer: Tracer | undefined;
  slowRequestMs: number;
}

interface WatchedRequest {
  run(work: () => void): void;
  end(status: number, durationMs: number): boolean;
}

export function measureRequest(
  { meter, tracer, slowRequestMs }: RequestMetrics,
  { method = '', url = '', headers }: IncomingMessage,
  requestLog: RequestLog,
): WatchedRequest {
  meter.started();
  const { request_id: requestId } = requestLog;
  const span = tracer?.begin(method, 'server', single(headers.traceparent), {
    'http.request.method': method,
    'request.id': requestId,
  });
  const activity: Activity = { request_id: requestId, span, name: () => requestLog.record?.operationId };
  return {
    run: (work) => inActivity(activity, work),
    end(status, durationMs) {
      const operation = requestLog.record?.operationId ?? groupOf(pathOf(url));
      meter.ended(operation, method, status, durationMs);
      if (requestLog.error_code) meter.failed(requestLog.error_code);
      if (span) {
        const attributes = {
          'http.response.status_code': status,
          'http.route': requestLog.record?.path,
          'error.type': requestLog.error_code,
          'company.id': requestLog.company_id,
          'user.id': requestLog.user_id,
          'client.id': requestLog.client_id,
        };
        span.end(attributes, status >= 500 ? { name: requestLog.error_code ?? String(status) } : undefined, operation);
      }
      return durationMs >= slowRequestMs;
    },
  };
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

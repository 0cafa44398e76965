/**
 * Sends requests to receivers: the only code that connects to addresses chosen by companies. It uses Node's own client: undici
 * closes the connection on an interim response (100), which HTTP allows. Callers limit the requests in flight, because a queued
 * request would look like a slow receiver.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import { tlsDetails } from '../webhooks/deliveries/failure-messages.ts';
import {
  AddressRefused,
  defaultLookup,
  hostOf,
  type Lookup,
  NotResolved,
  pinnedLookup,
  urlErrorText,
} from '../webhooks/subscriptions/target.ts';
import { type Header, sentHeaders } from '../webhooks/subscriptions/webhook-headers.ts';
import { Excerpt, retryAfter, storableHeaders } from './receiver-response.ts';

/** Why an attempt failed without a status. The contract's `DeliveryErrorClass` explains the values. */
export type ErrorClass =
  | 'dns'
  | 'connect_refused'
  | 'connect_timeout'
  | 'tls'
  | 'reset'
  | 'protocol'
  | 'timeout'
  | 'response_too_slow'
  | 'redirect'
  | 'address_refused'
  | 'payload'
  | 'interrupted';

/** The result of a request. An incomplete response counts as none. */
export interface RequestResult {
  duration_ms: number;
  status_code: number | null;
  error_class: ErrorClass | null;
  response_excerpt: string | null;
  /** The first response headers, as stored; null without a response. */
  response_headers: readonly Header[] | null;
  retry_after_s: number | null;
  /** The TLS error code, if known. */
  error_detail: string | null;
}

export interface WebhookRequest {
  url: string;
  headers: readonly Header[];
  body: Buffer;
  /** Texts to mask in the response, longest first. */
  hidden: readonly string[];
}

export interface Transport {
  /** Never rejects: every failure is a result. */
  send(request: WebhookRequest): Promise<RequestResult>;
  /** Waits for requests in flight, then closes all connections. */
  close(): Promise<void>;
}

export interface TransportOptions {
  allow_private: boolean;
  /** Timeout from the DNS lookup to the end of the response. */
  timeout_ms: number;
  ca?: string;
  lookup?: Lookup;
}

/** Connect timeout, including TLS. */
const maxConnectMs = 10_000;

/** Keep-alive timeout, below the five seconds of common servers. */
const idleMs = 4_000;

export function createTransport(options: TransportOptions): Transport {
  const { allow_private: allowPrivate, timeout_ms: timeoutMs } = options;
  const lookup = pinnedLookup(options.lookup ?? defaultLookup(options), { allow_private: allowPrivate });
  // With fewer idle connections than requests in flight, subscriptions that share a host would connect again for each request.
  const agentOptions = { keepAlive: true, timeout: idleMs, maxFreeSockets: Number.POSITIVE_INFINITY, lookup };
  // Shared by all connections: reading the root certificates takes milliseconds.
  const ca = options.ca === undefined ? undefined : [...getCACertificates('default'), options.ca];
  const secureContext = createSecureContext({ ca });
  const http = new HttpAgent(agentOptions);
  // Explicit, because an environment variable could change the default.
  const https = new HttpsAgent({ ...agentOptions, secureContext, rejectUnauthorized: true });
  const running = new Set<Promise<RequestResult>>();

  return {
    send(request) {
      const sent = send(request);
      running.add(sent);
      void sent.then(() => running.delete(sent));
      return sent;
    },
    async close() {
      await Promise.all(running);
      http.destroy();
      https.destroy();
    },
  };

  function send({ url, headers, body, hidden }: WebhookRequest): Promise<RequestResult> {
    const start = performance.now();
    return new Promise((resolve) => {
      const settle = (outcome: Outcome) => {
        resolve({ duration_ms: Math.round(performance.now() - start), ...outcome });
      };
      const target = URL.parse(url);
      if (!target) return settle(failed('payload'));
      if (urlErrorText(target, { allow_private: allowPrivate })) return settle(failed('address_refused'));
      const host = hostOf(target);
      const secure = target.protocol === 'https:';
      try {
        const request = (secure ? httpsRequest : httpRequest)({
          agent: secure ? https : http,
          method: 'POST',
          host,
          port: target.port,
          path: target.pathname + target.search,
          headers: sentHeaders(target, headers, body.length).flat(),
        });
        track(request, { named: !isIP(host), secure, timeout_ms: timeoutMs, hidden }, settle);
        request.end(body);
      } catch {
        settle(failed('payload')); // an invalid header or path
      }
    });
  }
}

type Outcome = Omit<RequestResult, 'duration_ms'>;

export const noResponse = { status_code: null, response_excerpt: null, response_headers: null, retry_after_s: null };

function failed(errorClass: ErrorClass, errorDetail: string | null = null): Outcome {
  return { ...noResponse, error_class: errorClass, error_detail: errorDetail };
}

/** Progress of a request, which determines the meaning of an error or timeout. */
type Phase = 'resolving' | 'connecting' | 'securing' | 'waiting' | 'answering';

interface TrackedRequest {
  named: boolean;
  secure: boolean;
  timeout_ms: number;
  hidden: readonly string[];
}

/** Tracks a request to its end, and reports the result once. */
function track(
  request: ClientRequest,
  { named, secure, timeout_ms: timeoutMs, hidden }: TrackedRequest,
  settle: (outcome: Outcome) => void,
): void {
  let phase: Phase = named ? 'resolving' : 'connecting';
  let connectTimer: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => giveUp(timeoutErrors[phase]), timeoutMs);
  let ended = false;

  const end = (outcome: Outcome) => {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    clearTimeout(connectTimer);
    settle(outcome);
  };
  /** Ignores the rest: closes the connection. */
  const giveUp = (errorClass: ErrorClass) => {
    end(failed(errorClass));
    request.destroy();
  };
  const connected = () => {
    phase = 'waiting';
    clearTimeout(connectTimer);
  };

  request.once('socket', (socket: Socket) => {
    if (request.reusedSocket) return connected();
    connectTimer = setTimeout(() => giveUp(timeoutErrors[phase]), Math.min(maxConnectMs, timeoutMs));
    socket.once('lookup', (error) => {
      if (!error) phase = 'connecting';
    });
    socket.once('connect', () => {
      if (secure) phase = 'securing';
      else connected();
    });
    if (secure) socket.once('secureConnect', connected);
  });
  request.on('error', (error) => end(failedBy(error, phase)));
  request.on('upgrade', () => giveUp('protocol'));
  request.on('close', () => end(failed('reset')));
  request.on('response', (response) => {
    phase = 'answering';
    read(response, hidden, {
      complete: (outcome) => end(outcome),
      enough: (outcome) => {
        end(outcome);
        request.destroy();
      },
    });
  });
}

function read(
  response: IncomingMessage,
  hidden: readonly string[],
  { complete, enough }: { complete: (outcome: Outcome) => void; enough: (outcome: Outcome) => void },
): void {
  const excerpt = new Excerpt();
  const outcome = () => responseOutcome(response, excerpt, hidden);
  response.on('data', (chunk: Buffer) => {
    if (!excerpt.add(chunk)) enough(outcome());
  });
  response.on('end', () => complete(outcome()));
  // The request reports it too, when its connection closes.
  response.on('error', () => {});
}

function responseOutcome(
  { statusCode = 0, headers, rawHeaders }: IncomingMessage,
  excerpt: Excerpt,
  hidden: readonly string[],
): Outcome {
  if (statusCode < 200) return failed('protocol');
  return {
    status_code: statusCode,
    error_class: statusCode >= 300 && statusCode < 400 ? 'redirect' : null,
    response_excerpt: excerpt.text(hidden),
    response_headers: storableHeaders(rawHeaders, hidden),
    retry_after_s: retryAfter(headers['retry-after']),
    error_detail: null,
  };
}

const timeoutErrors: Record<Phase, ErrorClass> = {
  resolving: 'dns',
  connecting: 'connect_timeout',
  securing: 'connect_timeout',
  waiting: 'timeout',
  answering: 'response_too_slow',
};

function failedBy(error: Error & { code?: string }, phase: Phase): Outcome {
  const errorClass = classOf(error, phase);
  const { code = '' } = error;
  return failed(errorClass, errorClass === 'tls' && tlsDetails.has(code) ? code : null);
}

function classOf(error: Error & { code?: string }, phase: Phase): ErrorClass {
  if (error instanceof AddressRefused) return 'address_refused';
  if (error instanceof NotResolved) return 'dns';
  const { code = '' } = error;
  switch (phase) {
    case 'resolving':
    case 'connecting':
      return code === 'ETIMEDOUT' ? 'connect_timeout' : 'connect_refused';
    case 'securing':
      return 'tls';
    default:
      if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'tls'; // rejected after the handshake, as TLS 1.3 allows
      return code.startsWith('HPE_') ? 'protocol' : 'reset'; // a parse error, or a closed connection
  }
}

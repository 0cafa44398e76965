/**
 * The HTTP server below the application: who may connect, how long a client may take for what, and what is told to who
 * does not speak HTTP. With a certificate it speaks HTTPS alone, TLS 1.2 and later.
 */
import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Config } from '../../platform/config/config.ts';
import { proxyAddresses } from '../../platform/config/trusted-proxies.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { answerBrokenRequest } from './broken-requests.ts';
import { shareConnections } from './connection-share.ts';
import { type ReloadCertificate, readCertificate, reloading, tlsSettings } from './tls.ts';

/** Turned-away connections are counted, and told in one line in this time. */
const turnedAwayToldEveryMs = 1_000;

interface HttpServer {
  server: Server | TlsServer;
  /** Undefined without a certificate of our own. */
  reloadCertificate: ReloadCertificate | undefined;
}

/**
 * Not yet listening.
 * @throws Error with one line about a certificate that can't be used
 */
export async function createHttpServer(
  config: Pick<Config, 'http' | 'tls' | 'require_https' | 'trust_proxy'>,
  log: Logger,
): Promise<HttpServer> {
  const { http, tls } = config;
  const headers = securityHeaders(config);
  const options: ServerOptions = {
    maxHeaderSize: http.maxHeaderBytes,
    headersTimeout: Math.min(http.headersTimeoutMs, http.requestTimeoutMs),
    requestTimeout: http.requestTimeoutMs,
    keepAliveTimeout: http.keepAliveTimeoutMs,
    // How often node looks who is late: often enough that a limit means what it says.
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(http.headersTimeoutMs / 4)),
    requireHostHeader: false, // `api/http/admission.ts` refuses it, in the form of all errors
  };
  const certificate = tls && (await readCertificate(tls));
  const server = certificate
    ? createTlsServer({
        ...options,
        ...certificate,
        ...tlsSettings,
        handshakeTimeout: http.headersTimeoutMs,
      })
    : createServer(options);
  server.on('error', (error) => log.warn({ err: error }, 'a connection could not be accepted'));
  // Who has sent everything may close that side, and still gets the answer (RFC 9112, section 9.6). What node calls it is not in its
  // documentation, and is in its types of neither server.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxHeadersCount = 0; // node would drop those beyond; `api/http/admission.ts` refuses the request
  server.maxConnections = http.max_connections;
  server.timeout = http.socketTimeoutMs;
  const refuse = (error: { code?: string | undefined }, socket: Socket) =>
    answerBrokenRequest(error, socket, headers, log);
  server.on('clientError', refuse);
  // No request like others for node, which would close the connection without a word, and which listens to it no more: a
  // client that is gone before its answer would end the process.
  server.on('connect', (_req, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    refuse({ code: 'CONNECT' }, socket);
  });
  // What node does not know in Expect is none of ours (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('drop', tellingOf(log, 'connections turned away: MAX_CONNECTIONS are open'));
  const share = { most: http.maxConnectionsPerAddress, proxies: proxyAddresses(config.trust_proxy) };
  shareConnections(server, share, tellingOf(log, 'connections turned away: MAX_CONNECTIONS_PER_ADDRESS are open'));
  return { server, reloadCertificate: tls && reloading(server as TlsServer, tls, log) };
}

function tellingOf(log: Logger, message: string): () => void {
  let connections = 0;
  return () => {
    connections += 1;
    if (connections > 1) return;
    setTimeout(() => {
      log.warn({ connections }, message);
      connections = 0;
    }, turnedAwayToldEveryMs).unref();
  };
}

/** The HTTP server below the application. With a certificate it serves only HTTPS, TLS 1.2 and later. */
import { createServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Config } from '../../platform/config/config.ts';
import { proxyAddresses } from '../../platform/config/trusted-proxies.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { limitConnections } from './connection-limit.ts';
import { respondToBrokenRequest } from './malformed-requests.ts';
import { type ReloadCertificate, readCertificate, reloading, tlsSettings } from './tls.ts';

/** Rejected connections are counted and logged once per interval. */
const rejectionLogIntervalMs = 1_000;

interface HttpServer {
  server: Server | TlsServer;
  reloadCertificate: ReloadCertificate | undefined;
}

/** Not yet listening. @throws Error with one line about an unusable certificate */
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
    // How often node checks timeouts; often enough for them to be accurate.
    connectionsCheckingInterval: Math.min(5_000, Math.ceil(http.headersTimeoutMs / 4)),
    requireHostHeader: false, // `api/http/admission.ts` rejects it, in the common error format
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
  // `listen` reports earlier errors.
  server.on('error', (err) => server.listening && log.warn({ err }, 'a connection could not be accepted'));
  // A client may close its sending side and still gets the response (RFC 9112, section 9.6). Node's option is undocumented.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxHeadersCount = 0; // node would drop headers beyond; `api/http/admission.ts` rejects the request
  server.maxConnections = http.max_connections;
  server.timeout = http.socketTimeoutMs;
  const refuse = (error: { code?: string | undefined }, socket: Socket) =>
    respondToBrokenRequest(error, socket, headers, log);
  server.on('clientError', refuse);
  // Node closes CONNECT connections silently, and removes its error listener: an early disconnect would crash the process.
  server.on('connect', (_req, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    refuse({ code: 'CONNECT' }, socket);
  });
  // Node doesn't know the expectation, and neither do we (RFC 9110, section 10.1.1): handle it as a normal request.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('drop', logOnce(log, 'connections rejected: MAX_CONNECTIONS are open'));
  const connectionLimit = { maxPerNetwork: http.maxConnectionsPerAddress, proxies: proxyAddresses(config.trust_proxy) };
  limitConnections(server, connectionLimit, logOnce(log, 'connections rejected: MAX_CONNECTIONS_PER_ADDRESS are open'));
  return { server, reloadCertificate: tls && reloading(server as TlsServer, tls, log) };
}

function logOnce(log: Logger, message: string): () => void {
  let connections = 0;
  return () => {
    connections += 1;
    if (connections > 1) return;
    setTimeout(() => {
      log.warn({ connections }, message);
      connections = 0;
    }, rejectionLogIntervalMs).unref();
  };
}

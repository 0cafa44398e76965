/** The port of an API process. */
import type { RequestListener, Server } from 'node:http';
import type { Config } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { listen } from '../../platform/process/listen.ts';
import type { Closers } from '../../product/service-resources.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { createDrain } from './drain.ts';
import { stillStarting } from './early-response.ts';
import { createHttpServer } from './server.ts';
import type { ReloadCertificate } from './tls.ts';

export interface ApiListener {
  server: Server;
  setHandler(listener: RequestListener): void;
  drain: ReturnType<typeof createDrain>;
  reloadCertificate: ReloadCertificate | undefined;
}

/** Opens the port, and responds that the service is starting until the application is ready. @throws if the port is taken */
export async function openListener(
  config: Config,
  log: Logger,
  opened: Closers,
  stopping: AbortSignal,
): Promise<ApiListener> {
  let handler: RequestListener = stillStarting(securityHeaders(config), log);
  const { server, reloadCertificate } = await createHttpServer(config, log);
  server.on('request', (req, res) => handler(req, res));
  const drain = createDrain(server, stopping);
  opened.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  await listen(server, config, { host: 'HOST', port: 'PORT' });
  if (config.require_https && !config.tls && !config.trust_proxy) {
    log.warn(
      'over plain HTTP, every request gets 403: set TRUST_PROXY to the proxy that terminates TLS, or TLS_CERT and TLS_KEY',
    );
  }
  const setHandler = (listener: RequestListener) => {
    handler = listener;
  };
  return { server, setHandler, drain, reloadCertificate };
}

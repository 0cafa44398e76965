/** The port of an API process. */
import type { RequestListener, Server } from 'node:http';
import type { Config } from '../../platform/config/config.ts';
import type { Logger } from '../../platform/observe/log.ts';
import type { Closers } from '../../product/service-resources.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { createDrain } from './drain.ts';
import { stillStarting } from './early-response.ts';
import { createHttpServer } from './server.ts';
import type { ReloadCertificate } from './tls.ts';

export interface Front {
  server: Server;
  answerWith(listener: RequestListener): void;
  drain: ReturnType<typeof createDrain>;
  reloadCertificate: ReloadCertificate | undefined;
}

/** Opens the port, and responds that the service is starting until the application is ready. @throws if the port is taken */
export async function openListener(
  config: Config,
  log: Logger,
  opened: Closers,
  stopping: AbortSignal,
): Promise<Front> {
  let answer: RequestListener = stillStarting(securityHeaders(config), log);
  const { server, reloadCertificate } = await createHttpServer(config, log);
  server.on('request', (req, res) => answer(req, res));
  const drain = createDrain(server, stopping);
  opened.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  await listen(server, config);
  const answerWith = (listener: RequestListener) => {
    answer = listener;
  };
  return { server, answerWith, drain, reloadCertificate };
}

function listen(server: Server, { host, port }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

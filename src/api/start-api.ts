import type { RequestListener } from 'node:http';
import { createAuditRecorder } from '../platform/audit/recorder.ts';
import { listenerName, listenForAccessChanges } from '../platform/notify/listen.ts';
import { observeLimits, observeTokenCache } from '../platform/observe/limits.ts';
import { createRepeatedWarning } from '../platform/observe/repeated-warning.ts';
import { createRequestMeter } from '../platform/observe/requests.ts';
import { withKeyNames } from '../platform/rotation/process-keys.ts';
import { createUseRecorder } from '../product/connections/connection-usage.ts';
import { createDirectoryMeter } from '../product/directories/directory-meter.ts';
import type { ServiceResources } from '../product/service-resources.ts';
import { createApp } from './app.ts';
import { createOAuth } from './pages/oauth.ts';
import { createRateLimiter } from './rate-limit/rate-limit.ts';

export async function startApi(resources: ServiceResources, stopping: AbortSignal): Promise<RequestListener> {
  const { config, log, opened, db, directUrl, base_url: baseUrl, store, mail, quotas, registry, tracer } = resources;
  const warning = createRepeatedWarning(log, 'not listening for changes of access');
  const name = withKeyNames(listenerName, config.encryption_keys);
  const access = listenForAccessChanges({ url: directUrl, name, onError: warning.failed });
  access.subscribe({ onChange() {}, onGap: warning.ended }); // it connected, or lost its connection
  opened.push(access.close);
  const audit = createAuditRecorder({ db: db.background, log });
  opened.push(audit.close);
  const uses = createUseRecorder({ db: db.background, log });
  opened.push(uses.close);
  const oauth = await createOAuth({ config, base_url: baseUrl, db, access, mail, log });
  const { rateLimitsPerMin: limits, rateLimitClientFactor: clientFactor } = config;
  const limiter = createRateLimiter({ db: db.background, limits, clientFactor, log });
  opened.push(limiter.close);
  observeLimits(registry, () => ({ ...limiter.refused, ...oauth.limits.refused }));
  observeTokenCache(registry, oauth.tokenCache);
  const watch = { meter: createRequestMeter(registry), tracer, slowRequestMs: config.slow.requestMs };
  return createApp({
    config,
    base_url: baseUrl,
    db,
    store,
    oauth,
    mail,
    limiter,
    quotas,
    watch,
    directoryMeter: createDirectoryMeter(registry),
    audit,
    uses,
    log,
    stopping,
  });
}

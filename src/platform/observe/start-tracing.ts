/** Starts tracing if a destination is configured; otherwise the library isn't loaded. */
import type { Logger } from './log.ts';
import type { Tracer, TracingSettings } from './span.ts';

export async function startTracing(settings: TracingSettings | undefined, log: Logger): Promise<Tracer | undefined> {
  if (!settings) return undefined;
  const { createTracer } = await import('./otlp.ts');
  log.info({ traces: new URL(settings.url).origin, sampler: settings.sampler }, 'traces');
  return createTracer(settings);
}

/** Starts tracing when the environment configures a destination; otherwise the library is not loaded. */
import type { Logger } from './log.ts';
import type { Tracer, TracingSettings } from './span.ts';

/** @param settings undefined where no traces are kept */
export async function startTracing(settings: TracingSettings | undefined, log: Logger): Promise<Tracer | undefined> {
  if (!settings) return undefined;
  const { createTracer } = await import('./otlp.ts');
  log.info({ traces: new URL(settings.url).origin, sampler: settings.sampler }, 'traces');
  return createTracer(settings);
}

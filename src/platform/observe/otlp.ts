/**
 * Traces with OpenTelemetry's SDK, as OTLP over HTTP (JSON), loaded only if tracing is enabled. The SDK reads its other standard
 * environment variables (headers, timeouts, certificates, resource attributes) itself.
 */
import * as api from '@opentelemetry/api';
import { type Context, isSpanContextValid, ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Attributes, Span, SpanKind, Tracer, TracingSettings } from './span.ts';

const kinds: Record<SpanKind, api.SpanKind> = {
  server: api.SpanKind.SERVER,
  consumer: api.SpanKind.CONSUMER,
  client: api.SpanKind.CLIENT,
  internal: api.SpanKind.INTERNAL,
};
const maxShutdownMs = 3_000;

export function createTracer(settings: TracingSettings): Tracer {
  const named = resourceFromAttributes({ 'service.name': settings.service_name });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(named),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: settings.url }) })],
  });
  const tracer = provider.getTracer('collaborator-api');
  return {
    begin(name, kind, parent, attributes) {
      const started = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes: definedAttributes(attributes) },
        contextOf(parent),
      );
      return new OtlpSpan(tracer, started);
    },
    async close() {
      // An unresponsive collector must not delay the exit.
      const timedOut = Promise.withResolvers<void>();
      const timer = setTimeout(timedOut.resolve, maxShutdownMs);
      await Promise.race([provider.shutdown().catch(() => {}), timedOut.promise]);
      clearTimeout(timer);
    },
  };
}

class OtlpSpan implements Span {
  readonly traceparent: string;
  readonly #tracer: api.Tracer;
  readonly #span: api.Span;
  readonly #context: Context;

  constructor(tracer: api.Tracer, span: api.Span) {
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
    this.#tracer = tracer;
    this.#span = span;
    this.#context = trace.setSpan(ROOT_CONTEXT, span);
  }

  add(name: string, kind: SpanKind, startedMs: number, attributes: Attributes, error?: unknown): void {
    const startTime = performance.timeOrigin + startedMs;
    const options = { kind: kinds[kind], startTime, attributes: definedAttributes(attributes) };
    finish(this.#tracer.startSpan(name, options, this.#context), error, performance.timeOrigin + performance.now());
  }

  end(attributes: Attributes = {}, error?: unknown, name?: string): void {
    if (name) this.#span.updateName(name);
    this.#span.setAttributes(definedAttributes(attributes));
    finish(this.#span, error);
  }
}

function finish(span: api.Span, error: unknown, endTime?: number): void {
  if (error !== undefined) {
    // Only the type of the error: its message may contain personal data.
    const { code, name = 'Error' } = error as { code?: unknown; name?: string };
    span.setAttribute('error.type', typeof code === 'string' ? code : name);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(endTime);
}

function definedAttributes(attributes: Attributes): api.Attributes {
  return attributes as api.Attributes; // the library ignores undefined values
}

function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? [];
  const parent = { traceId: traceId!, spanId: spanId!, traceFlags: Number.parseInt(flags!, 16) & 1, isRemote: true };
  if (!traceId || !isSpanContextValid(parent)) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}

function samplerOf({ sampler, parentBased, ratio }: TracingSettings): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[sampler]();
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

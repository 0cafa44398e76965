/** The project's own tracing interface, which doesn't load the library. */

/** `server`: a request; `consumer`: a job; `client`: a call to another system, mostly the database. */
export type SpanKind = 'server' | 'consumer' | 'client' | 'internal';

/** Named by OpenTelemetry's semantic conventions where they exist. */
export type Attributes = Record<string, string | number | boolean | undefined>;

export interface Span {
  /** The W3C Trace Context to propagate. */
  readonly traceparent: string;
  /**
   * Adds a child span that ends now.
   * @param startedMs by `performance.now()`
   * @param error why it failed
   */
  add(name: string, kind: SpanKind, startedMs: number, attributes: Attributes, error?: unknown): void;
  /** @param name replaces the initial name */
  end(attributes?: Attributes, error?: unknown, name?: string): void;
}

export interface Tracer {
  /** @param parent a `traceparent`; an invalid one starts a new trace */
  begin(name: string, kind: SpanKind, parent: string | undefined, attributes: Attributes): Span;
  /** Flushes pending spans. Never throws. */
  close(): Promise<void>;
}

export interface TracingSettings {
  /** The full URL for OTLP traces over HTTP. */
  url: string;
  service_name: string;
  sampler: 'always_on' | 'always_off' | 'traceidratio';
  /** Whether the caller's decision in `traceparent` takes precedence. */
  parentBased: boolean;
  /** For `traceidratio`: the share of new traces to keep, 0 to 1. */
  ratio: number;
}

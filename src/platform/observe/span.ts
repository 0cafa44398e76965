/** Traces, as the rest of the program uses them; the library is not loaded here. */

/** `server`: a request; `consumer`: a job; `client`: what others do for us, the database first of all. */
export type SpanKind = 'server' | 'consumer' | 'client' | 'internal';

/** Named by OpenTelemetry's semantic conventions, as far as they go. */
export type Attributes = Record<string, string | number | boolean | undefined>;

export interface Span {
  /** Its place in the trace, to be handed on (W3C Trace Context). */
  readonly traceparent: string;
  /**
   * Adds something within it that has ended just now.
   * @param startedMs by `performance.now()`
   * @param error what it failed with
   */
  add(name: string, kind: SpanKind, startedMs: number, attributes: Attributes, error?: unknown): void;
  /** @param name replaces the one it began with */
  end(attributes?: Attributes, error?: unknown, name?: string): void;
}

export interface Tracer {
  /** @param parent a `traceparent`; one that is not valid begins a new trace */
  begin(name: string, kind: SpanKind, parent: string | undefined, attributes: Attributes): Span;
  /** Sends what is left. Never throws. */
  close(): Promise<void>;
}

export interface TracingSettings {
  /** The full address that takes traces by OTLP over HTTP. */
  url: string;
  service_name: string;
  sampler: 'always_on' | 'always_off' | 'traceidratio';
  /** Whether a caller's decision, in `traceparent`, comes before ours. */
  parentBased: boolean;
  /** Of the traces that begin here, for `traceidratio`; 0 to 1. */
  ratio: number;
}

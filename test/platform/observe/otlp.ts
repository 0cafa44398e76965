/** A trace collector: accepts OTLP over HTTP as JSON, and stores the spans. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ReceivedSpan {
  trace_id: string;
  span_id: string;
  parentId: string | undefined;
  name: string;
  /** OTLP's numbers: 2 server, 3 client, 5 consumer. */
  kind: number;
  failed: boolean;
  duration_ms: number;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
}

export interface Collector {
  url: string;
  /** Paths and content types of the requests. */
  requests: string[];
  spans: ReceivedSpan[];
  close(): Promise<void>;
}

type Attribute = { key: string; value: Record<string, unknown> };

interface Traces {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        kind: number;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: Attribute[];
        status?: { code?: number };
      }[];
    }[];
  }[];
}

export async function collector(): Promise<Collector> {
  const self: Collector = { url: '', requests: [], spans: [], close: async () => {} };
  const server = createServer(async (req, res) => {
    self.requests.push(`${req.method} ${req.url} ${req.headers['content-type']}`);
    const { resourceSpans } = (await json(req)) as Traces;
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        self.spans.push({
          trace_id: span.traceId,
          span_id: span.spanId,
          parentId: span.parentSpanId || undefined,
          name: span.name,
          kind: span.kind,
          failed: span.status?.code === 2,
          duration_ms: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
          attributes: valuesOf(span.attributes),
          resource: valuesOf(resource.attributes),
        });
      }
    }
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  self.close = () =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return self;
}

function valuesOf(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

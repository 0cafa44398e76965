/** Sampling by the standard environment variables, and behavior without a collector. */
import { readConfig } from '../../../src/platform/config/config.ts';
import { createLogger } from '../../../src/platform/observe/log.ts';
import { createTracer } from '../../../src/platform/observe/otlp.ts';
import { resume } from '../../../src/platform/observe/resume-trace.ts';
import type { TracingSettings } from '../../../src/platform/observe/span.ts';
import { startTracing } from '../../../src/platform/observe/start-tracing.ts';
import { testSettings } from '../../helpers/settings.ts';
import { withTimeout } from '../../helpers/timing.ts';
import { type Collector, collector } from './otlp.ts';

const log = createLogger('silent');
const parent = { trace: '0af7651916cd43dd8448eb211c80319c', span: 'b7ad6b7169203331' };

let traces: Collector;
beforeEach(async () => {
  traces = await collector();
});
afterEach(() => traces.close());

function settings(sampler: TracingSettings['sampler'] = 'always_on', parentBased = true, ratio = 1): TracingSettings {
  return { url: `${traces.url}/v1/traces`, service_name: 'test', sampler, parentBased, ratio };
}

const tracingOf = (environment: Record<string, string>) => readConfig({ ...testSettings, ...environment }).tracing;

test('sends no traces without an endpoint, or if disabled', async () => {
  expect(tracingOf({})).toBeUndefined();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
  expect(tracingOf({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  expect(await startTracing(undefined, log)).toBeUndefined();
});

test('supports the standard variables', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/otlp/' };
  expect(tracingOf(endpoint)).toEqual({
    url: 'http://collector:4318/otlp/v1/traces',
    service_name: 'collaborator-api',
    sampler: 'always_on',
    parentBased: true,
    ratio: 1,
  });
  const full = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' };
  const sampler = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' };
  expect(tracingOf({ ...endpoint, ...full, ...sampler, OTEL_SERVICE_NAME: 'people' })).toEqual({
    url: 'https://traces.example/in',
    service_name: 'people',
    sampler: 'traceidratio',
    parentBased: false,
    ratio: 0.25,
  });
  expect(() => tracingOf({ OTEL_TRACES_SAMPLER: 'sometimes' })).toThrow(/OTEL_TRACES_SAMPLER/);
  expect(() => tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/);
});

test('continues a valid parent, and starts a new trace otherwise', async () => {
  const tracer = createTracer(settings());
  tracer.begin('child', 'server', `00-${parent.trace}-${parent.span}-01`, {}).end();
  const malformed = ['', 'x', `00-${parent.trace}-${'0'.repeat(16)}-01`, `01-${parent.trace}-${parent.span}-01`];
  for (const traceparent of malformed) tracer.begin('root', 'server', traceparent, {}).end();
  await tracer.close();
  const [child, ...roots] = traces.spans;
  expect(child).toMatchObject({ trace_id: parent.trace, parentId: parent.span });
  expect(roots.map(({ parentId }) => parentId)).toEqual(malformed.map(() => undefined));
  expect(new Set(roots.map(({ trace_id: traceId }) => traceId)).size).toBe(malformed.length);
});

test('respects and forwards a caller’s decision not to sample', async () => {
  const tracer = createTracer(settings());
  const span = tracer.begin('unwanted', 'server', `00-${parent.trace}-${parent.span}-00`, {});
  expect(span.traceparent).toMatch(new RegExp(`^00-${parent.trace}-[0-9a-f]{16}-00$`));
  span.end();
  tracer.begin('later', 'consumer', span.traceparent, {}).end();
  await tracer.close();
  expect(traces.spans).toEqual([]);
});

test.each([
  ['always_off', 1, 0],
  ['traceidratio', 0, 0],
  ['traceidratio', 1, 20],
] as const)('%s %d keeps %d of 20', async (sampler, ratio, sampled) => {
  const tracer = createTracer(settings(sampler, true, ratio));
  for (let i = 0; i < 20; i++) tracer.begin('root', 'server', undefined, {}).end();
  await tracer.close();
  expect(traces.spans).toHaveLength(sampled);
});

test('reports errors by code, never by message', async () => {
  const tracer = createTracer(settings());
  const error = Object.assign(new Error('Key (email)=(ana@example.com) already exists'), { code: '23505' });
  const work = async () => {
    throw error;
  };
  const origin = { request_id: 'r-1' };
  await expect(resume(tracer, { name: 'import', origin, attributes: {} }, work)).rejects.toBe(error);
  await tracer.close();
  expect(traces.spans).toMatchObject([
    { name: 'import', failed: true, attributes: { 'error.type': '23505', 'request.id': 'r-1' } },
  ]);
  expect(JSON.stringify(traces.spans)).not.toContain('ana@example.com');
});

test('an unreachable collector delays nothing', async () => {
  await traces.close();
  const tracer = createTracer(settings());
  tracer.begin('root', 'server', undefined, {}).end();
  await withTimeout(6_000, tracer.close());
});

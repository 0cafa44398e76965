/** Effects of Cloudflare, Envoy, AWS, and others, one at a time and combined: docs/operations/proxies.md. */
import { randomUUID } from 'node:crypto';
import { type HeaderLines, headerOf, type Rewriting, without } from '../../helpers/network/rewriting-proxy.ts';

export const proxied = (lines: HeaderLines, address: string): HeaderLines => {
  const before = headerOf(lines, 'x-forwarded-for');
  const more: HeaderLines = [
    ['X-Forwarded-For', before ? `${before}, ${address}` : address],
    ['X-Forwarded-Proto', 'https'],
  ];
  return [...without(lines, 'x-forwarded-for', 'x-forwarded-proto'), ...more];
};
const lowerCase = (lines: HeaderLines): HeaderLines => lines.map(([name, value]) => [name.toLowerCase(), value]);
const acceptsGzip = (requestLines: HeaderLines) => /\bgzip\b/.test(headerOf(requestLines, 'accept-encoding') ?? '');
const mapTag = (lines: HeaderLines, map: (tag: string) => string | undefined): HeaderLines =>
  lines.flatMap(([name, value]): HeaderLines => {
    if (name.toLowerCase() !== 'etag' || headerOf(lines, 'content-encoding') === undefined) return [[name, value]];
    const tag = map(value);
    return tag === undefined ? [] : [[name, tag]];
  });
export const merged = (lines: HeaderLines): HeaderLines => {
  const names = [...new Set(lines.map(([name]) => name.toLowerCase()))];
  return names.map((name) => [
    name,
    lines
      .filter(([each]) => each.toLowerCase() === name)
      .map(([, value]) => value)
      .join(', '),
  ]);
};

/** Compresses regardless of the response: the worst case. */
const heedless = (_: HeaderLines, requestLines: HeaderLines) => acceptsGzip(requestLines);
const heeding = (response: HeaderLines, requestLines: HeaderLines) =>
  acceptsGzip(requestLines) && !/no-transform/.test(headerOf(response, 'cache-control') ?? '');

export const effects: Record<string, Rewriting> = {
  'nothing but the address of the client': { request: proxied },
  'tags made weak (nginx, Cloudflare)': {
    request: proxied,
    compresses: heedless,
    response: (lines) => mapTag(lines, (tag) => `W/${tag}`),
  },
  'tags with the coding behind them (Caddy, Apache)': {
    request: proxied,
    compresses: heedless,
    response: (lines) => mapTag(lines, (tag) => tag.replace(/"$/, '-gzip"')),
  },
  'tags dropped (Envoy)': {
    request: proxied,
    compresses: heedless,
    response: (lines) => mapTag(lines, () => undefined),
  },
  'all headers in lower case (Envoy, HTTP/2)': {
    request: (lines, address) => lowerCase(proxied(lines, address)),
    response: lowerCase,
  },
  'headers of the same name merged into one': {
    request: (lines, address) => merged(proxied(lines, address)),
    response: merged,
  },
  'bodies in chunks, both ways': { request: proxied, request_body: 'chunked', responseBody: 'chunked' },
  'bodies with a length, both ways': { request: proxied, request_body: 'length', responseBody: 'length' },
  Cloudflare: {
    request: (lines, address) => [
      ...without(proxied(lines, address), 'accept-encoding', 'expect'),
      ['Accept-Encoding', 'gzip, br'],
      ['CF-Connecting-IP', address],
      ['CF-Ray', '8f1c2d3e4f5a6b7c-LIS'],
      ['CF-Visitor', '{"scheme":"https"}'],
      ['CF-IPCountry', 'PT'],
      ['CDN-Loop', 'cloudflare; loops=1'],
    ],
    compresses: heeding,
    response: (lines) => [
      ...mapTag(lines, (tag) => `W/${tag}`),
      ['CF-RAY', '8f1c2d3e4f5a6b7c-LIS'],
      ['CF-Cache-Status', 'DYNAMIC'],
    ],
    responseBody: 'chunked',
  },
  Envoy: {
    request: (lines, address) => [
      ...lowerCase(without(proxied(lines, address), 'x-request-id', 'expect')),
      ['x-request-id', randomUUID()],
      ['x-envoy-external-address', address],
      ['x-envoy-expected-rq-timeout-ms', '15000'],
    ],
    compresses: heeding,
    response: (lines) => [
      ...lowerCase(mapTag(lines, () => undefined)),
      ['server', 'envoy'],
      ['x-envoy-upstream-service-time', '3'],
    ],
    request_body: 'chunked',
    responseBody: 'chunked',
  },
  'an Application Load Balancer': {
    request: (lines, address) => [
      ...lowerCase(without(proxied(lines, address), 'host')),
      ['host', `${headerOf(lines, 'host')!.split(':')[0]}:8443`],
      ['x-forwarded-port', '443'],
      ['x-amzn-trace-id', 'Root=1-67891233-abcdef012345678912345678'],
    ],
    request_body: 'length',
  },
};

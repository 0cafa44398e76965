// Documents at URLs: limited in size, time, and redirects; private networks only if enabled.
import { get as getHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { get as getHttps } from 'node:https';
import { CannotCompare } from '../../model/cannot-compare.ts';
import { isPrivate, PrivateAddress, publicLookup } from './private-addresses.ts';
import type { Source, SourceOptions } from './source.ts';
import { textOfBytes, tooLarge } from './text.ts';

const maxRedirects = 5;

export function addressSource(address: string, options: SourceOptions): Source {
  if (!URL.canParse(address)) throw new CannotCompare(`${address} is not an address.`);
  return {
    entry: new URL(address).href,
    resolve: (reference, from) => {
      const { href, protocol } = new URL(reference, from);
      return /^https?:$/.test(protocol) ? href : undefined;
    },
    show: withoutPassword,
    read: async (names) => {
      const found = new Map<string, string>();
      for (const name of names) {
        const text = await fetchText(name, options);
        if (text !== undefined) found.set(name, text);
      }
      return found;
    },
  };
}

/** Keeps passwords in URLs out of reports. */
function withoutPassword(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** @returns undefined when the document does not exist */
async function fetchText(address: string, options: SourceOptions): Promise<string | undefined> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  let url = new URL(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const displayUrl = withoutPassword(url.href);
    try {
      const response = await sendRequest(url, options, signal);
      const { statusCode = 0 } = response;
      const { location } = response.headers;
      if (statusCode >= 300 && statusCode < 400 && location !== undefined) {
        response.destroy();
        url = redirectTarget(url, location, address);
        continue;
      }
      if (statusCode === 404 || statusCode === 410) return undefined;
      if (statusCode !== 200) throw new CannotCompare(`${displayUrl} responds with status ${statusCode}.`);
      return textOfBytes(await readBody(response, displayUrl, options.maxBytes), displayUrl);
    } catch (error) {
      throw error instanceof CannotCompare
        ? error
        : new CannotCompare(`${displayUrl} ${reasonOf(error, signal, options)}.`);
    }
  }
  throw new CannotCompare(`${withoutPassword(address)} redirects more than ${maxRedirects} times.`);
}

function sendRequest(url: URL, { privateAddresses }: SourceOptions, signal: AbortSignal): Promise<IncomingMessage> {
  if (!privateAddresses && isPrivate(url.hostname.replace(/^\[|\]$/g, ''))) throw new PrivateAddress(url.hostname);
  const get = url.protocol === 'https:' ? getHttps : getHttp;
  const headers = { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5', 'accept-encoding': 'identity' };
  const request: RequestOptions = { signal, headers, agent: false };
  if (!privateAddresses) request.lookup = publicLookup;
  return new Promise((resolve, reject) => {
    get(url.href, request, resolve).on('error', reject);
  });
}

function redirectTarget(from: URL, location: string, address: string): URL {
  if (!URL.canParse(location, from.href))
    throw new CannotCompare(`${withoutPassword(address)} redirects to no address.`);
  const to = new URL(location, from);
  const bad = !/^https?:$/.test(to.protocol) || (from.protocol === 'https:' && to.protocol === 'http:');
  if (bad) throw new CannotCompare(`${withoutPassword(address)} redirects to ${to.protocol}, which is not followed.`);
  return to;
}

async function readBody(response: IncomingMessage, displayUrl: string, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > maxBytes) {
      response.destroy();
      throw tooLarge(displayUrl, maxBytes);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function reasonOf(error: unknown, signal: AbortSignal, options: SourceOptions): string {
  if (error instanceof PrivateAddress)
    return 'is an address of this machine or of a private network; --allow-private-addresses asks it';
  if (signal.aborted) return `does not respond within ${options.timeoutMs / 1000} s`;
  const { code, message } = error as NodeJS.ErrnoException;
  // OpenSSL's messages end with a colon and a line break.
  return `does not respond: ${(message || String(code)).replace(/[\s:]+$/, '').replaceAll(/\s+/g, ' ')}`;
}

/** Parses STORAGE_URL, the location of the file store. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { LocalSettings, S3Settings } from '../files/store/storage.ts';

/** S3 keys are limited to 1,024 bytes, and ours are shorter than 100. */
const maxPrefixBytes = 900;

/** `s3://bucket/prefix?region=…`, or `file:` and a folder. */
export const storageUrl = z.string().transform((text, context) => {
  const storage = readStorageUrl(text);
  if (typeof storage !== 'string') return storage;
  context.addIssue({ code: 'custom', message: storage });
  return z.NEVER;
});

/** @returns an error message if it is invalid */
function readStorageUrl(text: string): LocalSettings | Omit<S3Settings, 'redirect' | 'silence_ms'> | string {
  if (text.startsWith('file:')) {
    // Accepts both `file:///srv/files` and `file:files`.
    const folder = text.startsWith('file://') ? fileFolder(text) : text.slice('file:'.length);
    return folder ? { kind: 'local', folder } : 'must name a folder after file:';
  }
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || !url.hostname) return 'must start with file: or s3://bucket';
  const unknown = [...url.searchParams.keys()].find((name) => !['region', 'endpoint', 'path_style'].includes(name));
  if (unknown) return `has the unknown parameter ${unknown}`;
  const endpoint = url.searchParams.get('endpoint') ?? undefined;
  if (endpoint && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    return 'endpoint must be an http or https URL';
  if (!['true', 'false', null].includes(url.searchParams.get('path_style'))) return 'path_style must be true or false';
  if (Boolean(url.username) !== Boolean(url.password)) return 'must have key and secret, or neither';
  if ([url.username, url.password, url.pathname].some((part) => !isPercentEncoded(part)))
    return 'must have % as %25 in key, secret, and prefix';
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  if (Buffer.byteLength(prefix) > maxPrefixBytes) return `must have a prefix of at most ${maxPrefixBytes} bytes`;
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix,
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint,
    path_style: url.searchParams.get('path_style') === 'true',
    credentials: url.username
      ? { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) }
      : undefined,
  };
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function fileFolder(text: string): string | undefined {
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

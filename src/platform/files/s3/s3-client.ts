/** The connection to an S3 store. The SDK is large, so the first request loads it. */
import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Settings } from '../store/storage.ts';
import { StoreError } from '../store/store-error.ts';
import { s3Outage } from './s3-errors.ts';
import { createWatchdog, type Watchdog } from './watchdog.ts';

const connectTimeoutMs = 5_000;
const sockets = 200;

/** Errors are thrown and logged by the caller; the SDK would log to the console. */
const silentLogger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

export interface S3Connection {
  sdk: typeof import('@aws-sdk/client-s3');
  client: S3Client;
  /** Sends one request, with retries, until its response starts. @throws 503 after the configured time without progress */
  sendRequest<T>(request: (watchdog: Watchdog) => Promise<T>): Promise<T>;
}

export async function connectToS3(settings: S3Settings): Promise<S3Connection> {
  const { region, endpoint, path_style: pathStyle, credentials, silence_ms: silenceMs } = settings;
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region,
    ...(endpoint && { endpoint }),
    forcePathStyle: pathStyle,
    logger: silentLogger,
    ...(credentials && {
      credentials: { accessKeyId: credentials.accessKeyId, secretAccessKey: credentials.secretAccessKey },
    }),
    // Trailing checksums are specific to Amazon; other stores refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // No timeout for the whole request, because large files take long. The watchdog detects stalls.
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      httpAgent: { maxSockets: sockets },
      httpsAgent: { maxSockets: sockets },
    },
  });
  const sendRequest = async <T>(request: (watchdog: Watchdog) => Promise<T>): Promise<T> => {
    const watchdog = createWatchdog(silenceMs);
    try {
      return await request(watchdog);
    } catch (error) {
      if (!watchdog.signal.aborted) throw error;
      throw s3Outage(new StoreError(`the store was silent for ${silenceMs} ms`, { isSilent: true }));
    } finally {
      watchdog.end();
    }
  };
  return { sdk, client, sendRequest };
}

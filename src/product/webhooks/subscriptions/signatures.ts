/**
 * Signs webhook requests. Two signatures over the bytes that are sent: the hexadecimal one of the body alone, and the
 * one of Standard Webhooks, which also covers id and time.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const standardVersion = 'v1,';

/** A new secret, as its owner is shown it: 32 random bytes. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** Signatures of one request. */
export interface Signatures {
  /**
   * `X-Webhook-Signature`: by the oldest secret that has not expired, because a receiver that knows one secret knows that
   * one until it was told to expire. Its key is the text of the secret, as it was shown.
   */
  hex: string;
  /** `webhook-signature`: by every secret, so that a receiver may still have an older one. Their keys are the bytes. */
  standard: string;
}

/** @param secrets those that are valid, the newest first; at least one */
export function signatures(secrets: readonly string[], id: string, timestampS: number, body: Buffer): Signatures {
  const oldest = secrets.at(-1);
  if (oldest === undefined) throw new Error('a request can not be signed without a secret');
  const hex = createHmac('sha256', oldest).update(body).digest('hex');
  const head = `${id}.${timestampS}.`;
  const standard = secrets.map((secret) => {
    const key = createSecretKey(secret.slice(prefix.length), 'base64'); // of bytes, Node takes 13 in place of 3 µs
    return `${standardVersion}${createHmac('sha256', key).update(head).update(body).digest('base64')}`;
  });
  return { hex, standard: standard.join(' ') };
}

const signatureBytes = 32;

/** As they are stored: without the form in which headers have them. */
export function packedSignatures({ hex, standard }: Signatures): Buffer {
  const each = standard.split(' ').map((signature) => Buffer.from(signature.slice(standardVersion.length), 'base64'));
  return Buffer.concat([Buffer.from(hex, 'hex'), ...each]);
}

/** @param packed by `packedSignatures` */
export function unpackedSignatures(packed: Buffer): Signatures {
  const standard: string[] = [];
  for (let at = signatureBytes; at < packed.length; at += signatureBytes) {
    standard.push(standardVersion + packed.subarray(at, at + signatureBytes).toString('base64'));
  }
  return { hex: packed.subarray(0, signatureBytes).toString('hex'), standard: standard.join(' ') };
}

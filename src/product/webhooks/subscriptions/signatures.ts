/**
 * Signs webhook requests twice: with a hexadecimal signature of the body, and by Standard Webhooks, which also covers id and
 * time.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const standardVersion = 'v1,';

export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

export interface Signatures {
  /** `X-Webhook-Signature`: by the oldest unexpired secret, which any receiver knows. The key is the text of the secret. */
  hex: string;
  /** `webhook-signature`: by every secret, for receivers with an older one. The keys are the decoded bytes. */
  standard: string;
}

/** @param secrets the valid ones, newest first; at least one */
export function signatures(secrets: readonly string[], id: string, timestampS: number, body: Buffer): Signatures {
  const oldest = secrets.at(-1);
  if (oldest === undefined) throw new Error("a request can't be signed without a secret");
  const hex = createHmac('sha256', oldest).update(body).digest('hex');
  const head = `${id}.${timestampS}.`;
  const standard = secrets.map((secret) => {
    const key = createSecretKey(secret.slice(prefix.length), 'base64'); // 3 µs; a plain buffer as the key takes 13
    return `${standardVersion}${createHmac('sha256', key).update(head).update(body).digest('base64')}`;
  });
  return { hex, standard: standard.join(' ') };
}

const signatureBytes = 32;

/** The compact form for storage, without the header syntax. */
export function packedSignatures({ hex, standard }: Signatures): Buffer {
  const each = standard.split(' ').map((signature) => Buffer.from(signature.slice(standardVersion.length), 'base64'));
  return Buffer.concat([Buffer.from(hex, 'hex'), ...each]);
}

export function unpackedSignatures(packed: Buffer): Signatures {
  const standard: string[] = [];
  for (let at = signatureBytes; at < packed.length; at += signatureBytes) {
    standard.push(standardVersion + packed.subarray(at, at + signatureBytes).toString('base64'));
  }
  return { hex: packed.subarray(0, signatureBytes).toString('hex'), standard: standard.join(' ') };
}

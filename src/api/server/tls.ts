/** The certificate for native HTTPS: read at startup, and again on SIGHUP without dropping connections. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Logger } from '../../platform/observe/log.ts';

/** Only TLS 1.2 and 1.3 with forward secrecy and authenticated encryption, as RFC 9325 (section 4.2) recommends. */
export const tlsSettings = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
} as const;

interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

/** Open connections keep the old certificate; new ones get the new one. An unusable one is logged. */
export type ReloadCertificate = () => Promise<void>;

/** @throws Error with one line that names the setting, if the certificate or key is unusable, mismatched, or expired */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<{ cert: string; key: string }> {
  const [cert, key] = await Promise.all([contentOf('TLS_CERT', certFile), contentOf('TLS_KEY', keyFile)]);
  const { validToDate } = parseCertificate(cert, certFile);
  if (validToDate.getTime() < Date.now()) {
    throw new Error(`TLS_CERT: the certificate in ${certFile} expired on ${validToDate.toISOString().slice(0, 10)}`);
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(`TLS_KEY: ${keyFile} does not match TLS_CERT (${(error as NodeJS.ErrnoException).code})`);
  }
  return { cert, key };
}

export function reloading(server: Server, files: CertificateFiles, log: Logger): ReloadCertificate {
  return async () => {
    try {
      const certificate = await readCertificate(files);
      server.setSecureContext({ ...certificate, ...tlsSettings });
      const { validToDate, fingerprint256 } = new X509Certificate(certificate.cert);
      log.info({ expires_at: validToDate.toISOString(), fingerprint: fingerprint256 }, 'certificate reloaded');
    } catch (error) {
      log.error({ err: error }, "the new certificate can't be used; keeping the current one");
    }
  };
}

async function contentOf(setting: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`${setting}: ${file} can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function parseCertificate(cert: string, file: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch {
    throw new Error(`TLS_CERT: ${file} has no PEM certificate`);
  }
}

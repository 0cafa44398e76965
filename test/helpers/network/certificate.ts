/** Issues X.509 certificates (RFC 5280) at test time, because stored ones would expire. Covers just what a server needs. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

interface Authority {
  ca: string;
  issue(options?: { hosts?: string[]; expired?: boolean }): { cert: string; key: string };
}

export function certificateAuthority(name = 'Test CA'): Authority {
  const authority = newKey();
  const ca = certificate({ issuer: name, by: authority.privateKey, subject: name, of: authority.publicKey, ca: true });
  return {
    ca,
    issue({ hosts = ['localhost', '127.0.0.1'], expired = false } = {}) {
      const { privateKey, publicKey } = newKey();
      const subject = hosts[0]!;
      const cert = certificate({ issuer: name, by: authority.privateKey, subject, of: publicKey, hosts, expired });
      return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
    },
  };
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

interface Certificate {
  issuer: string;
  by: KeyObject;
  subject: string;
  of: KeyObject;
  hosts?: string[];
  ca?: boolean;
  expired?: boolean;
}

const dayMs = 86_400_000;

function certificate({ issuer, by, subject, of, hosts = [], ca = false, expired = false }: Certificate): string {
  const until = Date.now() + (expired ? -1 : 1) * dayMs;
  const extensions = [
    sequence(oid(0x55, 0x1d, 0x13), der(0x01, Buffer.of(0xff)), der(0x04, sequence(...(ca ? [derTrue] : [])))),
    sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(...hosts.map(alternativeName)))),
  ];
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))), // version 3
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])), // serial number
    ecdsaWithSha256,
    distinguishedName(issuer),
    sequence(utcTime(until - 10 * dayMs), utcTime(until)),
    distinguishedName(subject),
    of.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...(ca ? extensions.slice(0, 1) : extensions))),
  );
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', content, by)]);
  const encoded = sequence(content, ecdsaWithSha256, der(0x03, signature)).toString('base64');
  const lines = encoded.match(/.{1,64}/g)!.join('\n'); // a trailing empty line is invalid PEM
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts));
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const derTrue = der(0x01, Buffer.of(0xff));
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

const distinguishedName = (name: string) =>
  sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from(name)))));

const utcTime = (atMs: number) =>
  der(0x17, Buffer.from(`${new Date(atMs).toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`));

const alternativeName = (host: string) =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host));

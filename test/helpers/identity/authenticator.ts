/** A software authenticator that creates passkeys and signs with them (WebAuthn Level 3): ES256 only, no attestation. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

export interface Ceremony {
  challenge: string;
  /** The origin that the browser reports; a page can't forge it. */
  origin: string;
  rp_id: string;
  /** Whether the authenticator verified the user by fingerprint, face, or PIN. */
  verified?: boolean;
  /** The signature counter to report. */
  counter?: number;
}

interface TestPasskey {
  id: string;
  /** The JSON that the browser sends after creating the passkey. */
  register(ceremony: Ceremony): string;
  /** The JSON that the browser sends to sign in. @param userId the user handle to report */
  signed(ceremony: Ceremony, userId?: string): string;
}

export function testPasskey(
  pair: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ec', { namedCurve: 'P-256' }),
): TestPasskey {
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
  const common = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  return {
    id,
    register(ceremony) {
      const clientDataJSON = clientData('webauthn.create', ceremony).toString('base64url');
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(x, y)]);
      const authData = Buffer.concat([authenticatorData(ceremony, hasCredential), credential]);
      const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex');
      const size = Buffer.alloc(2);
      size.writeUInt16BE(authData.length);
      const attestationObject = Buffer.concat([head, size, authData]).toString('base64url');
      return JSON.stringify({ ...common, response: { clientDataJSON, attestationObject, transports: ['internal'] } });
    },
    signed(ceremony, userId) {
      const clientDataJson = clientData('webauthn.get', ceremony);
      const data = authenticatorData(ceremony, 0);
      const input = Buffer.concat([data, createHash('sha256').update(clientDataJson).digest()]);
      const response = {
        clientDataJSON: clientDataJson.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', input, pair.privateKey).toString('base64url'),
        userHandle: userId && Buffer.from(userId).toString('base64url'),
      };
      return JSON.stringify({ ...common, response });
    },
  };
}

function clientData(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData({ rp_id: rpId, verified = true, counter = 0 }: Ceremony, moreFlags: number): Buffer {
  const flags = userPresent | (verified ? userVerified : 0) | moreFlags;
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
}

/** Encodes the public key in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey(x: string, y: string): Buffer {
  const head = Buffer.from('a50102032620012158', 'hex');
  const coordinate = (value: string) => Buffer.concat([Buffer.from([32]), Buffer.from(value, 'base64url')]);
  return Buffer.concat([head, coordinate(x), Buffer.from('2258', 'hex'), coordinate(y)]);
}

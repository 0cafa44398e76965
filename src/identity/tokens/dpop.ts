/**
 * Access tokens bound to a key of their client (DPoP, RFC 9449). The client signs a proof for each request: a JWT for this method,
 * URL, and token. A stolen token is useless without the key.
 */
import { t } from '../../contract/languages/text.ts';
import { type Problem, unauthorized } from '../../contract/problem.ts';

/** Signs both the proofs and the tokens. */
export const proofAlgorithm = 'ES256';

/** The library accepts proofs dated up to five minutes in the past or future, so remember them for longer than both. */
const ttlS = 660;

/** A proof, and the request that it must match. */
export interface Proof {
  method: string;
  /** As the client sees it; the query is ignored. */
  url: string;
  /** Value of the header `DPoP`. */
  jwt: string;
}

/** Records a use. @returns whether it is the first */
export type UseOnce = (id: string, ttlS: number) => Promise<boolean>;

/** The headers that the library reads. */
export function headersOf(token: string, proof: Proof | undefined): Record<string, string> {
  return proof ? { authorization: `DPoP ${token}`, dpop: proof.jwt } : { authorization: `Bearer ${token}` };
}

/** @param proof a verified one. @throws 401 if it was used before, in any process */
export async function refuseReplay(useOnce: UseOnce | undefined, keyThumbprint: unknown, proof: Proof): Promise<void> {
  const { jti } = payloadOf(proof.jwt) as { jti: string };
  if (!(await useOnce?.(`dpop ${keyThumbprint} ${jti}`, ttlS))) throw invalidProof();
}

/** Whether a token claims to be bound. Nothing is verified: use it only to choose an error message. */
export const claimsBinding = (token: string): boolean => 'cnf' in payloadOf(token);

export const proofMissing = (): Problem =>
  unauthorized('invalid_token', t`The access token is bound to a key: send it with the DPoP scheme and a proof.`);

export const invalidProof = (cause?: unknown): Problem =>
  unauthorized('invalid_token', t`The access token or its DPoP proof is not valid.`, cause);

function payloadOf(jwt: string): object {
  try {
    const payload: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
    return typeof payload === 'object' && payload !== null ? payload : {};
  } catch {
    return {};
  }
}

/**
 * Access tokens that are bound to a key of their client (DPoP, RFC 9449). With each request the client sends a proof: a JWT that it signs
 * for this method, address, and token. A token without the key is of no use to whoever stole it.
 */
import { t } from '../../contract/languages/text.ts';
import { type Problem, unauthorized } from '../../contract/problem.ts';

/** Of proofs, and of the tokens themselves. */
export const proofAlgorithm = 'ES256';

/** The library takes proofs that were made up to five minutes ago, or are dated as far ahead. */
const keptS = 660;

/** A proof, and the request that it has to be for. */
export interface Proof {
  method: string;
  /** As the client sees it; a query is ignored. */
  url: string;
  /** What the header `DPoP` holds. */
  jwt: string;
}

/**
 * Notes that something was used.
 * @returns whether it is the first time
 */
export type UseOnce = (id: string, keptS: number) => Promise<boolean>;

/** The headers of a request with a token, as the library reads them. */
export function headersOf(token: string, proof: Proof | undefined): Record<string, string> {
  return proof ? { authorization: `DPoP ${token}`, dpop: proof.jwt } : { authorization: `Bearer ${token}` };
}

/** @param proof that was found to be good. @throws 401 for one that was used before, whichever process saw it */
export async function refuseReplay(useOnce: UseOnce | undefined, keyThumbprint: unknown, proof: Proof): Promise<void> {
  const { jti } = payloadOf(proof.jwt) as { jti: string };
  if (!(await useOnce?.(`dpop ${keyThumbprint} ${jti}`, keptS))) throw invalidProof();
}

/** Whether a token says that it is bound: it chooses words only, for nothing of it is verified. */
export const claimsBinding = (token: string): boolean => 'cnf' in payloadOf(token);

export const proofMissing = (): Problem =>
  unauthorized('invalid_token', t`The access token is bound to a key: send it by the scheme DPoP, with a proof.`);

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

/** Verifies the access token of a request: a bearer token (RFC 6750), or a bound token with its DPoP proof (RFC 9449). */
import type { IncomingHttpHeaders } from 'node:http';
import { t } from '../../contract/languages/text.ts';
import { Problem, unauthorized } from '../../contract/problem.ts';
import { type Proof, proofAlgorithm } from '../../identity/tokens/dpop.ts';
import type { VerifiedToken } from '../../identity/tokens/verify-token.ts';

/** @throws 401 `invalid_token` or `token_expired` */
export type VerifyToken = (token: string, proof?: Proof) => Promise<VerifiedToken>;

/** RFC 6750, section 2.1, and RFC 9449, section 7.1. */
const pattern = /^(Bearer|DPoP) +([A-Za-z0-9._~+/-]+=*) *$/i;

interface Request {
  method?: string | undefined;
  originalUrl: string;
  headers: IncomingHttpHeaders;
}

/** @param baseUrl public address of the service, which the proof must name. @throws 401 without a valid token */
export async function verifyRequest(
  { method = 'GET', originalUrl, headers }: Request,
  baseUrl: string,
  verify: VerifyToken,
): Promise<VerifiedToken> {
  const { authorization, dpop } = headers;
  if (!authorization) throw unauthorized('unauthorized', t`An access token is required.`);
  const [, scheme, token] = pattern.exec(authorization) ?? [];
  if (!token) throw unauthorized('invalid_token', t`The Authorization header does not contain a bearer token.`);
  const isBound = scheme!.toLowerCase() === 'dpop';
  if (!isBound && dpop === undefined) return verify(token);
  try {
    const [path] = originalUrl.split('?', 1);
    return await verify(token, { method, url: baseUrl + path, jwt: isBound ? String(dpop ?? '') : '' });
  } catch (error) {
    throw asChallenge(error);
  }
}

/** RFC 9449, section 7.1: the challenge names the scheme and the algorithm of proofs. */
function asChallenge(error: unknown): unknown {
  if (!(error instanceof Problem) || error.status !== 401) return error;
  const challenge = `${error.headers?.['WWW-Authenticate']}, algs="${proofAlgorithm}"`.replace(/^Bearer/, 'DPoP');
  return new Problem(401, error.code, error.text, { headers: { 'WWW-Authenticate': challenge }, cause: error });
}

/** Interprets S3 errors, by the codes in Amazon's API reference, which other stores use too. */
import { isUnavailable, Problem } from '../../../contract/problem.ts';
import { outage, StoreError } from '../store/store-error.ts';

interface SdkError {
  name?: string;
  code?: unknown;
  message?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Permanent errors, with hints for the operator. */
const permanentHints: Record<string, string> = {
  AccessDenied: 'its keys lack this permission',
  AllAccessDisabled: 'access is denied to everyone',
  AuthorizationHeaderMalformed: 'the region is wrong',
  CredentialsProviderError: 'no keys were found',
  IllegalLocationConstraintException: 'the region is wrong',
  InvalidAccessKeyId: 'the access key is unknown',
  InvalidBucketName: 'the bucket name is invalid',
  NoSuchBucket: 'there is no such bucket',
  PermanentRedirect: 'the bucket is in another region or at another endpoint',
  SignatureDoesNotMatch: 'the secret is wrong',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** Whether the store says that the object doesn't exist. A HEAD response has no code: there it is just a 404. */
export function isNoSuchKey({ name }: SdkError): boolean {
  return name === 'NoSuchKey';
}

export function isNotFound(error: SdkError): boolean {
  return error.$metadata?.httpStatusCode === 404;
}

/** @returns a 503 whose cause explains the error to the operator */
export function s3Outage(error: unknown): Problem {
  return error instanceof Problem ? error : outage(errorOfResponse(error as SdkError));
}

/** Keeps only code and status: a store's message may quote file contents. */
function errorOfResponse(error: SdkError): unknown {
  if (error instanceof StoreError) return error;
  const { name, code, $metadata } = error;
  const cause = typeof code === 'string' && permanentHints[code] ? code : name;
  const hint = cause === undefined ? undefined : permanentHints[cause];
  const status = $metadata?.httpStatusCode;
  const isLasting = hint !== undefined;
  if (status === undefined && isLasting) return new StoreError(`${hint} (${cause})`, { isLasting });
  if (name === 'TimeoutError' || isOfConnection(code)) return error;
  const reason = name && /^[A-Za-z]{1,64}$/.test(name) ? name : 'an error';
  const message = `the store returned ${status ?? 0} with ${reason}${hint ? `: ${hint}` : ''}`;
  return new StoreError(message, { isLasting, ...(status !== undefined && { status }) });
}

function isOfConnection(code: unknown): boolean {
  return typeof code === 'string' && /^E[A-Z_]+$/.test(code);
}

/** A response body that was truncated. */
export function truncatedBody(error: unknown): unknown {
  if (error instanceof StoreError || isUnavailable(error)) return error;
  return new StoreError('the response of the store was cut off', { cause: error });
}

/**
 * Refresh tokens are used once. For a minute, a token that was just used gives the same successor again, to a client whose
 * answer was lost, and to two processes of one client that refresh at the same time: it never gives another, so there is one
 * chain of tokens however often one of them is used. Somebody who stole one can only follow that chain, and the first of the
 * two who uses a token of it later than a minute after the other ends the whole grant (RFC 9700, section 4.14.2).
 *
 * The successor is derived from the token and a key of ours, so that requests that arrive together at several processes agree
 * without waiting for each other. Nobody can derive it who has only one of the two.
 */
import { createHmac } from 'node:crypto';
import Provider from 'oidc-provider';
import { newScannable, scannable } from '../../platform/secrets/scannable.ts';
import { deriveKey, type EncryptionKeys } from '../../platform/secrets/secrets.ts';

/** @param provider whose refresh tokens get their values here */
export function chainRefreshTokens(provider: Provider, encryptionKeys: EncryptionKeys): void {
  const keys = encryptionKeys.map((key) => deriveKey(key, 'refresh-successors'));
  const { RefreshToken } = provider;
  const { save } = RefreshToken.prototype;
  RefreshToken.prototype.save = async function (this: InstanceType<typeof RefreshToken>) {
    const rotated = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    this.jti ??= rotated ? await successorOf(rotated.jti) : newScannable('refresh_token');
    return save.call(this);
  };

  /** Derived with the first key; while keys are rotated, another process may have done it with another one before. */
  const successorOf = async (token: string): Promise<string> => {
    const [newest, ...older] = keys.map((key) => {
      return scannable('refresh_token', createHmac('sha256', key).update(token).digest());
    });
    for (const candidate of older) if (await RefreshToken.find(candidate, { ignoreExpiration: true })) return candidate;
    return newest!;
  };
}

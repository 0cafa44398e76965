/**
 * Refresh tokens are used once. For a minute, a used token returns the same successor again, for clients whose response was lost,
 * and for several processes of one client that refresh concurrently. The successor never differs, so there is one chain of
 * tokens. A thief can only follow that chain, and whoever reuses a token of it more than a minute after the other revokes the
 * whole grant (RFC 9700, section 4.14.2).
 *
 * The successor is derived from the token and a secret key, so that concurrent requests in several processes agree without
 * locking. Deriving it takes both.
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

  /** Derived with the first key; during a key rotation, another process may have used another one. */
  const successorOf = async (token: string): Promise<string> => {
    const [newest, ...older] = keys.map((key) => {
      return scannable('refresh_token', createHmac('sha256', key).update(token).digest());
    });
    for (const candidate of older) if (await RefreshToken.find(candidate, { ignoreExpiration: true })) return candidate;
    return newest!;
  };
}

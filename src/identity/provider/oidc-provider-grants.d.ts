// Types of oidc-provider's helpers for custom grants, which its own types leave out.
declare module 'oidc-provider/lib/helpers/grants.js' {
  import type { KoaContextWithOIDC, Provider } from 'oidc-provider';

  /** A valid proof; undefined without one. */
  type DpopProof = { readonly thumbprint: string; readonly jti: string; readonly iat: number } | undefined;
  export function validateDpop(provider: Provider, ctx: KoaContextWithOIDC): Promise<DpopProof>;
  export function checkDpopReplay(
    provider: Provider,
    ctx: KoaContextWithOIDC,
    proof: DpopProof,
    clientId: string,
  ): Promise<void>;
}

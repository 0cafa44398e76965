/** The OpenID Connect scope (Core 1.0, section 3.1.2.1): adds an `id_token`, and gives no access to the API. */
export const openid = 'openid';

/** Includes the user's address (section 5.4); valid only with `openid`. */
export const emailScope = 'email';

/** Scopes that only identify the user, without access to the API. */
export const identityScopes: readonly string[] = [openid, emailScope];

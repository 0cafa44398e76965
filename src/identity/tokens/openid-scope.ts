/**
 * The scope of OpenID Connect (Core 1.0, section 3.1.2.1): whoever asks for it gets an `id_token` too, which says who signed in. It
 * is a right to nothing at the API.
 */
export const openid = 'openid';

/** Shows the address of the person (section 5.4), beside `openid` alone. */
export const emailScope = 'email';

/** Scopes that are rights to nothing at the API: they say who signed in. */
export const identityScopes: readonly string[] = [openid, emailScope];

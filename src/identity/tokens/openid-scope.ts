/**
 * The scope of OpenID Connect (Core 1.0, section 3.1.2.1): whoever asks for it gets an `id_token` too, which says who signed in. It
 * is a right to nothing at the API.
 */
export const openid = 'openid';

/** Test helpers: sign-ins with a company's SAML provider. */
import { chooseCompany, redirectTargetOf, tokensAfter } from '../../../helpers/identity/identity-provider.ts';
import { type Browser, createBrowser, type Page } from '../../../helpers/identity/oauth.ts';
import { postCrossSite, type SamlProvider } from '../../../helpers/identity/saml-provider.ts';
import { beginSignIn, redirectUri, type SignIns } from './company-sign-in-people.ts';

/** Starts a sign-in. @returns the browser that was sent to the provider */
export async function atProvider(
  signing: SignIns,
  {
    browser = createBrowser(signing.app.base_url),
    url = beginSignIn(signing).url,
    email = 'anybody@verdelog.example',
  } = {},
): Promise<{ browser: Browser; href: string }> {
  return { browser, href: redirectTargetOf(await chooseCompany(browser, url, email)) };
}

/** Signs in through the provider, and posts its form. @returns the page after that */
export async function throughSaml(
  signing: SignIns,
  idp: SamlProvider,
  options: Parameters<typeof atProvider>[1] = {},
): Promise<{ browser: Browser; page: Page }> {
  const { browser, href } = await atProvider(signing, options);
  return { browser, page: await post(browser, idp.respond(href)) };
}

/** Posts the form, and follows the redirect in the browser. */
export async function post(browser: Browser, posted: Parameters<typeof postCrossSite>[0]): Promise<Page> {
  const { location, status, text } = await postCrossSite(posted);
  if (!location) return { url: posted.acs, status, html: text, headers: new Headers(), forms: [], location: undefined };
  return browser.open(location);
}

/** The whole sign-in of an app. @returns its tokens */
export async function tokensBySaml(signing: SignIns, idp: SamlProvider, email?: string) {
  const { url, verifier } = beginSignIn(signing);
  const { browser, page } = await throughSaml(signing, idp, { url, ...(email && { email }) });
  const { client } = signing;
  const tokens = await tokensAfter(signing.app, browser, page, { client, redirect_uri: redirectUri, verifier });
  return { browser, page, tokens };
}

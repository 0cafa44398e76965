/** A sign-in on a new device is reported once by email. */
import { createBrowser, signIn } from '../../../helpers/identity/oauth.ts';
import { type Mailbox, openMailbox } from '../../../identity/mailbox.ts';
import { type OAuthService, oauthService, redirectUri } from '../../../identity/service.ts';

let service: OAuthService;
let mailbox: Mailbox;
beforeAll(async () => {
  service = await oauthService();
  mailbox = await openMailbox(service);
});
afterAll(async () => {
  await mailbox.close();
  await service.close();
});

const mailCount = async () => {
  const subjects = await mailbox.subjects(service.ana.email);
  return subjects.filter((subject) => subject === 'A new device signed in to your account').length;
};
const laterSignIn = async (browser = createBrowser(service.base_url)) => {
  const { base_url: baseUrl, native: client, ana } = service;
  for (const name of browser.cookies.keys()) if (!name.startsWith('oauth_device_')) browser.cookies.delete(name);
  await signIn({ base_url: baseUrl, client, redirect_uri: redirectUri, ...ana, scopes: ['profile'], browser });
  return browser;
};

test('reports new devices once, except for the very first sign-in', async () => {
  const first = await laterSignIn();
  expect(await mailCount()).toBe(0);
  const second = await laterSignIn();
  expect(await mailCount()).toBe(1);
  await laterSignIn(second);
  await laterSignIn(first);
  expect(await mailCount()).toBe(1);
});

test('a wrong password sends no email', async () => {
  const before = await mailCount();
  const wrong = laterSignInWith('not the password at all');
  await expect(wrong).rejects.toThrow('401');
  expect(await mailCount()).toBe(before);
});

async function laterSignInWith(password: string): Promise<void> {
  const { base_url: baseUrl, native: client, ana } = service;
  await signIn({ base_url: baseUrl, client, redirect_uri: redirectUri, ...ana, password, scopes: ['profile'] });
}

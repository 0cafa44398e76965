// Screenshots of the account pages of a signed-in user.
import type { Page } from 'playwright-core';

interface Walk {
  page: Page;
  base_url: string;
  password: string;
  show(name: string): Promise<void>;
}

export async function accountPages({ page, base_url: baseUrl, password, show }: Walk): Promise<void> {
  const goto = (path: string) => page.goto(baseUrl + path);
  const press = (value: string) =>
    Promise.all([page.waitForNavigation(), page.locator(`button[value="${value}"]`).first().click()]);
  await goto('/account');
  await show('account');
  await goto('/account/name');
  await show('account-proof');
  await page.locator('#password').fill('wrong');
  await press('prove');
  await show('account-proof-failed');
  await page.locator('#password').fill(password);
  await press('prove');
  await show('account-name');
  for (const name of ['address', 'password', 'devices', 'apps', 'companies', 'second-factor']) {
    await goto(`/account/${name}`);
    await show(`account-${name}`);
  }
  await press('set-up');
  await show('account-set-up');
  await goto('/account/companies');
  await press('leave');
  await show('account-leave');
  await press('leave-now');
  await show('account-last-admin');
}

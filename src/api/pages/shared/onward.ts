import { say, type Text } from '../../../contract/languages/text.ts';
import type { PageContext } from './page-context.ts';

/** Where people go on to when a page has done what they came for: to the app that the operator names, else to the console. */
export function onward({ app_url: appUrl }: Pick<PageContext, 'app_url'>): { href: string; label: Text } {
  return appUrl ? { href: appUrl, label: say`Continue` } : { href: '/console', label: say`Open the console` };
}

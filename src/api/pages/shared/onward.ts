import { say, type Text } from '../../../contract/languages/text.ts';
import type { PageContext } from './page-context.ts';

export function onward({ app_url: appUrl }: Pick<PageContext, 'app_url'>): { href: string; label: Text } {
  return appUrl ? { href: appUrl, label: say`Continue` } : { href: '/console', label: say`Open the console` };
}

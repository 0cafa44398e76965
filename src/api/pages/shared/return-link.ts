import { type Text, t } from '../../../contract/languages/text.ts';
import type { PageContext } from './page-context.ts';

export function returnLink({ app_url: appUrl }: Pick<PageContext, 'app_url'>): { href: string; label: Text } {
  return appUrl ? { href: appUrl, label: t`Continue` } : { href: '/console', label: t`Open the console` };
}

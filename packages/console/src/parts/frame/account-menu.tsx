import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import type { MenuTrigger } from '../menus/menu-button.tsx';
import { OpenedMenu } from '../menus/opened-menu.tsx';

interface AccountMenuProps {
  about: ReactNode;
  links: { label: string; href: string }[];
  choices: { label: string; lang: string; chosen: boolean; choose(): void }[];
  last: { label: string; href: string };
}

export function AccountMenu({ trigger, about, links, choices, last }: AccountMenuProps & { trigger: MenuTrigger }) {
  return (
    <OpenedMenu trigger={trigger}>
      <div className="menu-about">{about}</div>
      <Menu.Separator className="menu-line" />
      {links.map(({ label, href }) => (
        <Menu.LinkItem key={href} href={href}>
          {label}
        </Menu.LinkItem>
      ))}
      <Menu.Separator className="menu-line" />
      <Menu.RadioGroup value={choices.find(({ chosen }) => chosen)?.lang ?? ''}>
        {choices.map(({ label, lang, choose }) => (
          <Menu.RadioItem key={lang} value={lang} lang={lang} closeOnClick onClick={choose}>
            <Menu.RadioItemIndicator className="menu-mark">✓</Menu.RadioItemIndicator>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Separator className="menu-line" />
      <Menu.LinkItem href={last.href}>{last.label}</Menu.LinkItem>
    </OpenedMenu>
  );
}

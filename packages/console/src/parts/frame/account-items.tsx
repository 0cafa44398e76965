import { Menu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { MenuPopup } from '../menu-popup.tsx';

export interface AccountMenuProps {
  /** Label for screen readers. */
  title: string;
  trigger: string;
  about: ReactNode;
  links: { label: string; href: string }[];
  choices: { label: string; lang: string; chosen: boolean; choose(): void }[];
  last: { label: string; href: string };
}

export default function AccountItems({ title, trigger, about, links, choices, last }: AccountMenuProps) {
  return (
    <Menu.Root modal={false} defaultOpen>
      <Menu.Trigger className="menu-button" title={title}>
        <span aria-hidden="true">{trigger}</span>
        <span className="unseen">{title}</span>
      </Menu.Trigger>
      <MenuPopup>
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
      </MenuPopup>
    </Menu.Root>
  );
}

import * as Radix from '@radix-ui/react-dropdown-menu';
import type { ReactNode } from 'react';

interface MenuProps {
  /** Label for screen readers. */
  title: string;
  shown: string;
  about: ReactNode;
  links: { label: string; href: string }[];
  choices: { label: string; lang: string; chosen: boolean; choose(): void }[];
  last: { label: string; href: string };
}

export function Menu({ title, shown, about, links, choices, last }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger className="menu-button" title={title}>
        <span aria-hidden="true">{shown}</span>
        <span className="unseen">{title}</span>
      </Radix.Trigger>
      <Radix.Content className="menu" align="end" sideOffset={6}>
        <Radix.Label className="menu-about">{about}</Radix.Label>
        <Radix.Separator className="menu-line" />
        {links.map(({ label, href }) => (
          <Radix.Item key={href} asChild>
            <a href={href}>{label}</a>
          </Radix.Item>
        ))}
        <Radix.Separator className="menu-line" />
        <Radix.RadioGroup value={choices.find(({ chosen }) => chosen)?.lang ?? ''}>
          {choices.map(({ label, lang, choose }) => (
            <Radix.RadioItem key={lang} value={lang} lang={lang} onSelect={choose}>
              <Radix.ItemIndicator className="menu-mark">✓</Radix.ItemIndicator>
              {label}
            </Radix.RadioItem>
          ))}
        </Radix.RadioGroup>
        <Radix.Separator className="menu-line" />
        <Radix.Item asChild>
          <a href={last.href}>{last.label}</a>
        </Radix.Item>
      </Radix.Content>
    </Radix.Root>
  );
}

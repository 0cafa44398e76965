/** Keyboard shortcuts for navigation. They can be disabled, because speech input may trigger them (WCAG 2.1.4). */
import { useEffect } from 'react';
import { readStored, writeStored } from '../local-storage.ts';

const storageKey = 'console.shortcuts';
const secondKeyMs = 1_500;

export function areOn(): boolean {
  return readStored(storageKey) !== 'off';
}

export function switchShortcuts(on: boolean): void {
  writeStored(storageKey, on ? 'on' : 'off');
}

interface Shortcuts {
  onMenu(): void;
  onHelp(): void;
  /** @param key pressed after `g` */
  onGo(key: string): void;
}

export function useShortcuts({ onMenu, onHelp, onGo }: Shortcuts): void {
  useEffect(() => {
    let goUntilMs = 0;
    const press = (event: KeyboardEvent) => {
      const { key, metaKey, ctrlKey, altKey, timeStamp } = event;
      if ((metaKey || ctrlKey) && !altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        return onMenu();
      }
      if (metaKey || ctrlKey || altKey || isTyping(event.target) || isInDialog() || !areOn()) return;
      if (timeStamp < goUntilMs) {
        goUntilMs = 0;
        return onGo(key);
      }
      if (key === 'g') goUntilMs = timeStamp + secondKeyMs;
      else if (key === '?') onHelp();
      else if (key === '/') {
        event.preventDefault();
        const search = document.querySelector<HTMLInputElement>('[data-search]');
        if (search) search.focus();
        else onMenu();
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}

function isInDialog(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"]') !== null;
}

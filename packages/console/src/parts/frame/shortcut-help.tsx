/** List of keyboard shortcuts, and the switch to disable them. */
import { useState } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { t } from '../translate.ts';
import type { NavItem } from './nav-items.ts';
import { areOn, switchShortcuts } from './shortcuts.ts';

export function ShortcutHelp({ items, onClose }: { items: readonly NavItem[]; onClose(): void }) {
  const [isOn, setOn] = useState(areOn);
  const keys: [keys: string[], description: string][] = [
    [['Ctrl', 'K'], t`Search or go to …`],
    [['/'], t`Search this list`],
    [['?'], t`Keyboard shortcuts`],
    ...items.map(({ key, label }): [string[], string] => [['g', key], label()]),
  ];
  return (
    <Dialog open title={t`Keyboard shortcuts`} onClose={onClose}>
      <label className="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ target }) => {
            switchShortcuts(target.checked);
            setOn(target.checked);
          }}
        />
        {t`Use shortcuts of single letters`}
      </label>
      <dl className="facts keys">
        {keys.map(([each, description]) => (
          <div key={description} className="fact">
            <dt>
              {each.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button kind="primary" onClick={onClose}>
          {t`Close`}
        </Button>
      </div>
    </Dialog>
  );
}

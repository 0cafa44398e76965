/** List of keyboard shortcuts, and the switch to disable them. */
import { useState } from 'react';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { t } from '../translate.ts';
import type { Place } from './nav-items.ts';
import { areOn, switchShortcuts } from './shortcuts.ts';

export default function ShortcutHelp({ places, onClose }: { places: readonly Place[]; onClose(): void }) {
  const [isOn, setOn] = useState(areOn);
  const keys: [keys: string[], what: string][] = [
    [['Ctrl', 'K'], t`Search or go to …`],
    [['/'], t`Search this list`],
    [['?'], t`Keyboard shortcuts`],
    ...places.map(({ key, label }): [string[], string] => [['g', key], label()]),
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
        {keys.map(([each, what]) => (
          <div key={what} className="fact">
            <dt>
              {each.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
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

/** Edit conflict: shows both versions field by field, and lets the user choose. */
import { Button } from './button.tsx';
import { t } from './translate.ts';

interface ConflictProps {
  /** Fields changed by either side, formatted; an empty string means no value. */
  fields: readonly { name: string; label: string; now: string; mine: string }[];
  onMine(): void;
  onTheirs(): void;
}

export function Conflict({ fields, onMine, onTheirs }: ConflictProps) {
  return (
    <div className="problem" role="alert">
      <p className="problem-title">{t`This changed while you were editing`}</p>
      <p>{t`Nothing was saved. Compare both versions and choose one.`}</p>
      <div className="table full">
        <table>
          <thead>
            <tr>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Current version`}</th>
              <th scope="col">{t`Your version`}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ name, label, now, mine }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td data-name={t`Current version`}>{now || '–'}</td>
                <td data-name={t`Your version`}>{mine || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="row">
        <Button kind="primary" onClick={onMine}>
          {t`Save my version`}
        </Button>
        <Button onClick={onTheirs}>{t`Keep the current version`}</Button>
      </div>
    </div>
  );
}

/** Form fields that differ from the initial values on either side. */
export function differing<Inputs extends object>(read: Inputs, now: Inputs, mine: Inputs): (keyof Inputs & string)[] {
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return (Object.keys(read) as (keyof Inputs & string)[]).filter(
    (name) => !same(now[name], read[name]) || !same(mine[name], read[name]),
  );
}

import type { Schemas } from '../../api/client/client.ts';
import { Choice } from '../lists/filters.tsx';
import { t } from '../translate.ts';

interface EventChoiceProps {
  types: readonly Schemas['EventType'][];
  value: string | undefined;
  onChange(event: string): void;
}

/** Select for one event type or a whole namespace. */
export function EventChoice({ types, value, onChange }: EventChoiceProps) {
  const names = types.filter(({ sent }) => sent).map(({ name }) => name);
  const namespaces = [...new Set(names.map((name) => `${name.split('.')[0]}.*`))];
  return (
    <Choice label={t`Event`} value={value} onChange={onChange}>
      {value && ![...names, ...namespaces].includes(value) && <option>{value}</option>}
      {namespaces.map((namespace) => (
        <optgroup key={namespace} label={namespace}>
          <option>{namespace}</option>
          {names
            .filter((name) => name.startsWith(namespace.slice(0, -1)))
            .map((name) => (
              <option key={name}>{name}</option>
            ))}
        </optgroup>
      ))}
    </Choice>
  );
}

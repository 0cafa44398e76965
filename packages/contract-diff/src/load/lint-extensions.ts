// Checks the values of extensions that the comparison uses.
import { timeOf } from '../model/days.ts';
import { isList } from '../model/json.ts';
import { stabilityLevels } from '../model/stability.ts';

const known = new Set(['x-stability-level', 'x-internal', 'x-sunset', 'x-renamed-from', 'x-extensible-enum']);

/** Why an extension's value is invalid; undefined if it is valid or the extension is unknown. */
export function extensionError(name: string, value: unknown, ownLevels: readonly string[]): string | undefined {
  if (!known.has(name)) return undefined;
  const displayValue = JSON.stringify(value);
  switch (name) {
    case 'x-stability-level': {
      const levels = [...new Set([...stabilityLevels, ...ownLevels])];
      if (levels.includes(value as string)) return undefined;
      return `${displayValue} is no stability level and counts as stable; the levels are ${levels.join(', ')}`;
    }
    case 'x-internal':
      return typeof value === 'boolean' ? undefined : `${displayValue} must be true or false, and is ignored`;
    case 'x-sunset':
      return timeOf(value) === undefined ? `${displayValue} is no day or time, and is ignored` : undefined;
    case 'x-renamed-from':
      return [value].flat().every((one) => typeof one === 'string')
        ? undefined
        : `${displayValue} must be a name or a list of names, and is ignored`;
    case 'x-extensible-enum':
      return isList(value) ? undefined : `${displayValue} must be a list, and is ignored`;
    default:
      return undefined;
  }
}

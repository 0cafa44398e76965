/**
 * How deep JSON may be nested. The parser takes any depth, but what works on values calls itself for each level, and a
 * thousand brackets would end it with an error of ours.
 */

/** Levels of a body; the contract knows no more than six. */
export const max_json_depth = 32;

/** Whether a parsed value has more levels of arrays and objects than that. */
export function isTooDeep(value: unknown, levels = max_json_depth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isTooDeep(item, levels - 1)) return true;
    return false;
  }
  for (const name in value) if (isTooDeep((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
}

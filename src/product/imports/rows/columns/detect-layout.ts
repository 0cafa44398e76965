/** Detects the tool that wrote a file, and maps its columns. */
import { plainName } from '../../../../platform/sheets/headers/header-names.ts';
import type { Cell } from '../../../../platform/sheets/model/types.ts';
import type { TableField } from './import-fields.ts';
import { knownLayouts, type Layout } from './tool-layouts.ts';

/** By header; null for an ignored column. */
export type Mapping = Readonly<Record<string, TableField | null>>;

export const layoutHeaders = new Map(
  knownLayouts.flatMap(({ has }) => has.map((name) => [plainName(name), `layout ${name}`])),
);

export function layoutOf(header: readonly Cell[]): Layout | undefined {
  const names = new Set(header.map((cell) => plainName(String(cell ?? ''))));
  return knownLayouts.find(({ has }) => has.every((name) => names.has(plainName(name))));
}

export function mappingOf({ columns }: Layout, header: readonly Cell[]): Mapping {
  const meanings = new Map(Object.entries(columns).map(([name, key]) => [plainName(name), key]));
  return Object.fromEntries(
    header.flatMap((cell) => {
      const key = meanings.get(plainName(String(cell ?? '')));
      return key === undefined ? [] : [[String(cell), key]];
    }),
  );
}

/** Headers are compared without case and accents. */
export function withoutMapped(known: Mapping, mapping: Mapping): Mapping {
  const names = new Set(Object.keys(mapping).map(plainName));
  return Object.fromEntries(Object.entries(known).filter(([name]) => !names.has(plainName(name))));
}

// An invariant to check after the traffic.
import type { Model } from './model.ts';
import type { World } from './world.ts';

/** Reports violations. @returns what was checked, and how many */
export type Check = (
  world: World,
  model: Model,
  violation: (sentence: string) => void,
) => Promise<[label: string, count: number]>;

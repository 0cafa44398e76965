/** The values of `x-stability-level`, from the least that is promised to the most. Without one, everything is promised. */
export const stabilityLevels: readonly string[] = ['draft', 'experimental', 'alpha', 'beta', 'stable'];

/** Values of `x-stability-level`, from the weakest promise to the strongest. The default promises everything. */
export const stabilityLevels: readonly string[] = ['draft', 'experimental', 'alpha', 'beta', 'stable'];

/** Roles that an installation may have: those that have something to reach, for an employee is a person. */
export const installation_roles = ['admin', 'manager'] as const;

export type InstallationRole = (typeof installation_roles)[number];

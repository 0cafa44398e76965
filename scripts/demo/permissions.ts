/** Chapter: the permissions of a token, as reported by the API. */
import { expect, type Step, type Trip } from './story.ts';

interface Permission {
  operation_id: string;
  allowed: boolean;
  reach: 'all' | 'team' | 'self' | 'directory' | 'none' | null;
  missing_scopes: string[];
  required_role: string | null;
  /** Whether the company requires a recent sign-in. */
  needs_step_up: boolean;
}

export const permissions: Step[] = [
  {
    title: 'The API lists what a token may do: an admin everything that the company has switched on',
    async run(trip) {
      trip.print('Reach names the records: all, those of the team, or one’s own (self).');
      const list = await permissionsOf(trip, trip.tokens.admin, 'admin');
      const refused = list.filter(({ allowed }) => !allowed).map(({ operation_id: operationId }) => operationId);
      // The people directory, which a company switches on.
      expect('what an admin may not do', refused, ['listColleagues']);
    },
  },
  {
    title: 'An employee little, though the token has every scope: the role decides as well',
    async run(trip) {
      const list = await permissionsOf(trip, trip.tokens.employee, 'employee');
      const permissionOf = (id: string) => list.find(({ operation_id: operationId }) => operationId === id);
      expect('the reach of listCollaborators', permissionOf('listCollaborators')?.reach, 'self');
      expect('createCollaborator', permissionOf('createCollaborator'), {
        operation_id: 'createCollaborator',
        allowed: false,
        reach: 'none',
        missing_scopes: [],
        required_role: 'admin',
        needs_step_up: false,
      });
    },
  },
];

/** Prints permissions in groups: allowed ones by reach, denied ones by what is missing. */
async function permissionsOf(trip: Trip, token: string, role: string): Promise<Permission[]> {
  const { company_id: companyId } = trip;
  const { body } = await trip.request('GET', '/v1/permissions', { token, company_id: companyId, status: 200 });
  expect('the role', body.role, role);
  const list = body.data as Permission[];
  const groups = Object.groupBy(list, explained);
  for (const [title, group = []] of Object.entries(groups)) {
    trip.print(`  ${title}: ${group.map(({ operation_id: operationId }) => operationId).join(', ')}`);
  }
  return list;
}

function explained({
  allowed,
  reach,
  missing_scopes: missingScopes,
  required_role: requiredRole,
  needs_step_up: needsStepUp,
}: Permission): string {
  if (allowed) return reach ? `allowed, reach ${reach}` : 'allowed, about no company';
  const missing = [
    missingScopes.length > 0 && `the scopes ${missingScopes.join(' ')}`,
    requiredRole && `the role ${requiredRole}`,
    needsStepUp && 'a sign-in that is not long ago',
  ];
  return `refused, it takes ${missing.filter(Boolean).join(' and ') || 'a people directory of the company'}`;
}

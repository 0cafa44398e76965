/** Chapter: what a token may do, as the API itself tells it. */
import { expect, type Step, type Trip } from './story.ts';

interface Permission {
  operation_id: string;
  allowed: boolean;
  reach: 'all' | 'team' | 'self' | 'none' | null;
  missing_scopes: string[];
  required_role: string | null;
  /** Whether the company wants a sign-in that is not long ago. */
  needs_step_up: boolean;
}

export const permissions: Step[] = [
  {
    title: 'The API tells what a token may do: an admin everything',
    async run(trip) {
      trip.say('Reach says which records: all, those of the team, or one’s own (self).');
      const list = await permissionsOf(trip, trip.tokens.admin, 'admin');
      const refused = list.filter(({ allowed }) => !allowed).map(({ operation_id }) => operation_id);
      expect('what an admin may not do', refused, []);
    },
  },
  {
    title: 'An employee little, though the token has every scope: the role decides as well',
    async run(trip) {
      const list = await permissionsOf(trip, trip.tokens.employee, 'employee');
      const of = (id: string) => list.find(({ operation_id }) => operation_id === id);
      expect('the reach of listCollaborators', of('listCollaborators')?.reach, 'self');
      expect('createCollaborator', of('createCollaborator'), {
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

/** Asks, and tells it grouped: what is allowed by how far it reaches, what is not by what is missing. */
async function permissionsOf(trip: Trip, token: string, role: string): Promise<Permission[]> {
  const { company_id } = trip;
  const { body } = await trip.request('GET', '/v1/permissions', { token, company_id, status: 200 });
  expect('the role', body.role, role);
  const list = body.data as Permission[];
  const groups = Object.groupBy(list, explained);
  for (const [what, group = []] of Object.entries(groups)) {
    trip.say(`  ${what}: ${group.map(({ operation_id }) => operation_id).join(', ')}`);
  }
  return list;
}

function explained({ allowed, reach, missing_scopes, required_role, needs_step_up }: Permission): string {
  if (allowed) return reach ? `allowed, reach ${reach}` : 'allowed, about no company';
  const lacks = [
    missing_scopes.length > 0 && `the scopes ${missing_scopes.join(' ')}`,
    required_role && `the role ${required_role}`,
    needs_step_up && 'a sign-in that is not long ago',
  ];
  return `refused, it takes ${lacks.filter(Boolean).join(' and ')}`;
}

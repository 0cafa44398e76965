/** Personnel changes in the demo company: starts, promotions, transfers, invitations, and departures. */
import type { ProfileUpdate } from '../../../src/product/collaborators/write/differences.ts';
import type { Random } from '../../random/random.ts';
import { accounts } from './demo-company.ts';
import { type Chapter, daysAgo, type Step } from './month-chapter.ts';
import type { Employee } from './staff.ts';

const helena = 'helena.castro@verdelog.example';
/** Staff who have not started yet. */
const pendingCount = 10;
const changes = 34;
/** Invitations expire after seven days: this one has nine hours left. */
const nearlyOverMin = 7 * 1_440 - 9 * 60;

export function staffSteps({ world, random, people }: Chapter): Step[] {
  const changeRandom = random.fork('changes');
  const admin = () => world.person(accounts.admin);
  // People of the second file join eight days before today.
  const presentStaff = people.slice(0, -4);
  const pending = people.slice(-pendingCount).map(({ email }) => email);
  const started = changeRandom.shuffled(presentStaff.slice(0, presentStaff.length - pendingCount));
  const leavers = started.slice(0, 5);
  const changing = started.slice(5);
  const reasons = ['Resigned', 'End of a temporary contract', 'Moved to another city', 'Retired', 'Resigned'];
  const invited = ['beatriz.lima@verdelog.example', ...pending.slice(0, 3)];
  return [
    {
      agoMin: daysAgo(28, 8, 30),
      run: () =>
        world.activate(
          admin(),
          presentStaff.slice(0, -(pendingCount - 4)).map(({ email }) => email),
        ),
    },
    {
      agoMin: daysAgo(26, 9),
      run: () =>
        world.assign(
          admin(),
          people.filter(isHead).map(({ email }) => email),
          'manager',
        ),
    },
    ...leavers.map(
      ({ email }, at): Step => ({
        agoMin: daysAgo(21 - at * 5, 17, 10 * at),
        run: () => world.deactivate(admin(), email, reasons[at]!),
      }),
    ),
    ...Array.from({ length: changes }, (_, at): Step => {
      const person = changing[at]!;
      const update = changeOf(person, changeRandom);
      const by = at % 4 === 0 ? accounts.manager : at % 2 === 0 ? helena : accounts.admin;
      return {
        agoMin: daysAgo(24 - Math.floor((at * 24) / changes), 9 + (at % 8), (at * 17) % 60),
        run: () => world.change(world.person(by), person.email, update),
      };
    }),
    { agoMin: nearlyOverMin, run: () => world.invite(admin(), invited[0]!) },
    ...invited
      .slice(1)
      .map((email, at): Step => ({ agoMin: daysAgo(4 - at, 11), run: () => world.invite(admin(), email) })),
  ];
}

function isHead({ position }: Employee): boolean {
  return /Manager$|Director$/.test(position) && !position.startsWith('Key Account');
}

const schedules = [
  'Full-time, early shift',
  'Full-time, late shift',
  'Part-time, Mon–Wed',
  'Full-time, Mon–Fri 08:00–17:00',
];
const locations = ['Rua João Bettega 5700, Curitiba', 'Av. Antônio Pincinato 2820, Jundiaí', 'Remote'];

function changeOf({ salary, position, phone }: Employee, random: Random): ProfileUpdate {
  const kinds: (() => ProfileUpdate)[] = [
    () => ({ position: `Senior ${position}`, salary: Math.round(salary * 1.12) }),
    () => ({ salary: Math.round(salary * 1.06) }),
    () => ({ work_schedule: random.pick(schedules) }),
    () => ({ location: random.pick(locations) }),
    () => ({ phone: `${phone.slice(0, -4)}${random.below(9_000) + 1_000}` }),
    () => ({ emergency_contact: { name: 'Lúcia Ferraz', phone: '+55 19 99555-0164', relationship: 'Mother' } }),
  ];
  return random.pick(kinds)();
}

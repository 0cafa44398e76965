/** Photos and documents of some people in the demo company. */
import { accounts } from './demo-company.ts';
import { letter } from './letter.ts';
import { type Chapter, daysAgo, type Step } from './month-chapter.ts';
import { portrait } from './portrait.ts';

const papers = [
  ['contract', 'contrato-de-trabalho.pdf', 'Contrato de trabalho'],
  ['policy', 'politica-de-seguranca.pdf', 'Política de segurança'],
  ['certificate', 'certificado-nr-11.pdf', 'Certificado NR-11: operação de empilhadeira'],
  ['payslip', 'holerite.pdf', 'Demonstrativo de pagamento'],
  ['identification', 'cnh.pdf', 'Carteira nacional de habilitação'],
] as const;
type Paper = (typeof papers)[number];

const keeper = 'helena.castro@verdelog.example';
const pictured = 19;

export function paperSteps({ world, random, people }: Chapter): Step[] {
  const paperRandom = random.fork('papers');
  const known = [...Object.values(accounts), 'clara.sousa@verdelog.example', keeper];
  const presentStaff = people.slice(0, -4); // the last four join later
  const staff = presentStaff.map(({ email }) => email);
  // Managers first, because they are seen most.
  const leads = new Set(presentStaff.map(({ manager_email: managerEmail }) => managerEmail));
  const others = presentStaff.toSorted((a, b) => Number(leads.has(b.email)) - Number(leads.has(a.email)));
  const withPhoto = [...known, ...others.slice(0, pictured).map(({ email }) => email)];
  const fileDocument = (email: string, [type, filename, title]: Paper) => {
    const lines = ['Verde Logística Ltda.', '', email, 'Documento de demonstração, sem valor.'];
    return world.document(world.person(keeper), email, type, filename, letter(title, lines));
  };
  const filed = Array.from({ length: 6 }, (_, at): Step => {
    const owners = at === 0 ? known : paperRandom.shuffled(staff).slice(0, 5);
    const drafts = owners.map((email) => ({ email, paper: at === 0 ? papers[0] : paperRandom.pick(papers) }));
    return {
      agoMin: daysAgo(24 - at * 4, 10 + at),
      run: async () => void (await Promise.all(drafts.map(({ email, paper }) => fileDocument(email, paper)))),
    };
  });
  const photos = withPhoto.map((email, at) => [email, portrait((at * 137) % 360)] as const);
  return [{ agoMin: daysAgo(27, 15), run: () => world.photos(photos) }, ...filed];
}

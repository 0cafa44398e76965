/** The demo company's imports: one without errors, and others with some. */
import { accounts } from './demo-company.ts';
import { type Chapter, daysAgo, type Step } from './month-chapter.ts';
import type { Employee } from './staff.ts';

const headers = {
  name: 'Nome',
  email: 'E-mail',
  position: 'Cargo',
  department: 'Departamento',
  phone: 'Telefone',
  hire_date: 'Data de admissão',
  salary: 'Salário',
  work_schedule: 'Horário de trabalho',
  location: 'Local de trabalho',
  employee_number: 'Matrícula',
  manager_email: 'E-mail do gestor',
} as const satisfies Record<keyof Employee, string>;

type Row = { readonly [K in keyof Employee]: Employee[K] | string };

/** People in the second file, which has errors for others. */
const later = 4;

export function importSteps({ world, people }: Chapter): Step[] {
  const admin = () => world.person(accounts.admin);
  const hired = people.slice(-later);
  const [example] = hired;
  const wrong = (row: Partial<Row>): Row => ({ ...example!, employee_number: '', ...row });
  const faulty = [
    wrong({ name: 'Aparecida Nunes', email: 'aparecida.nunes-verdelog.example' }),
    wrong({ name: 'Cauê Bittencourt', email: 'caue.bittencourt@verdelog.example', hire_date: '31/02/2026' }),
    wrong({
      name: 'Dalva Pimentel',
      email: 'dalva.pimentel@verdelog.example',
      manager_email: 'ninguem@verdelog.example',
    }),
  ];
  const checked = [
    wrong({ name: 'Ícaro Falcão', email: 'icaro.falcao@verdelog.example', salary: 'a combinar' }),
    wrong({ name: 'Joana Prates', email: 'joana.prates@verdelog.example' }),
    wrong({ name: 'Lívia Quadros', email: accounts.employee }),
    wrong({ name: 'Nilo Trindade', email: 'nilo.trindade@verdelog.example', department: '' }),
  ];
  return [
    {
      agoMin: daysAgo(29, 10, 12),
      run: () => world.import(admin(), 'quadro-de-pessoal.csv', csv(people.slice(0, -later)), {}),
    },
    {
      agoMin: daysAgo(8, 14, 5),
      run: () => world.import(admin(), 'novas-contratações.csv', csv([...hired, ...faulty]), { on_error: 'continue' }),
    },
    {
      agoMin: daysAgo(3, 16, 40),
      run: () =>
        world.import(
          admin(),
          'fornecedores.csv',
          'Fornecedor;CNPJ;Cidade\nPneus Bandeirante;00000000000100;Jundiaí\n',
          {},
        ),
    },
    {
      agoMin: daysAgo(1, 11, 20),
      run: () => world.import(admin(), 'safra-de-verão.csv', csv(checked), { dry_run: true }),
    },
  ];
}

function csv(rows: readonly Row[]): string {
  const names = Object.keys(headers) as (keyof Employee)[];
  const lines = [Object.values(headers), ...rows.map((row) => names.map((name) => quoted(String(row[name]))))];
  return `${lines.map((cells) => cells.join(';')).join('\r\n')}\r\n`;
}

function quoted(cell: string): string {
  return /[";\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

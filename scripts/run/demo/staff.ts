/** Generates the demo company's staff, in addition to the shown accounts; seeded, so always the same. */
import type { Random } from '../../random/random.ts';

export interface Employee {
  name: string;
  email: string;
  position: string;
  department: string;
  phone: string;
  hire_date: string;
  salary: number;
  work_schedule: string;
  location: string;
  employee_number: string;
  manager_email: string;
}

const firstNames =
  `Adriana Alexandre Aline Amanda André Antônio Bianca Bruna Bruno Caio Carla Carlos Carolina Cecília Cíntia Daniel Daniela
  Débora Diego Diogo Elaine Elisa Emanuel Érica Fábio Felipe Fernanda Flávia Gabriel Gabriela Giovana Guilherme Gustavo Heitor
  Igor Isabela Ivan Jéssica Jorge Juliana Larissa Leandro Letícia Luana Lucas Luís Luíza Marcelo Márcia Marcos Mateus Miguel
  Natália Otávio Patrícia Pedro Priscila Rafael Raquel Renata Ricardo Rodrigo Rosana Samuel Sérgio Simone Taís Tatiana Tomás
  Valéria Vanessa Vinícius Vitória Wagner Yasmin`.split(/\s+/);
const surnames =
  `Albuquerque Alves Amaral Andrade Araújo Azevedo Barbosa Batista Bezerra Borges Braga Cardoso Carvalho Cavalcanti Correia
  Costa Cunha Dantas Dias Esteves Farias Fernandes Ferreira Fonseca Furtado Garcia Gomes Gonçalves Guimarães Lacerda Leite
  Lopes Macedo Machado Magalhães Martins Medeiros Melo Mendes Menezes Miranda Monteiro Moraes Nascimento Neves Oliveira Pacheco
  Peixoto Pereira Pinheiro Pires Ramos Rezende Ribeiro Rocha Sales Sampaio Santana Santos Siqueira Soares Tavares Teles Vieira
  Xavier`.split(/\s+/);

interface Department {
  name: string;
  /** Department head: an existing account, or a new person below the director. */
  head: string | { name: string; position: string; salary: number };
  leads: number;
  lead: string;
  members: number;
  positions: readonly string[];
  salaries: readonly [number, number];
  locations: readonly string[];
  schedules: readonly string[];
}

const headOffice = 'Av. Paulista 1374, São Paulo';
const campinas = 'Rod. Anhanguera km 104, Campinas';
const guarulhos = 'Rua Jamil João Zarif 684, Guarulhos';
const jundiai = 'Av. Antônio Pincinato 2820, Jundiaí';
const curitiba = 'Rua João Bettega 5700, Curitiba';
const office = ['Full-time, Mon–Fri 09:00–18:00', 'Full-time, Mon–Fri 08:00–17:00', 'Part-time, mornings'];
const shifts = ['Full-time, early shift', 'Full-time, late shift', 'Full-time, nights', 'Part-time, weekends'];

/** 112 people in total. */
const departments: readonly Department[] = [
  {
    name: 'Field Operations',
    head: 'rui.almeida@verdelog.example',
    leads: 3,
    lead: 'Shift Supervisor',
    members: 30,
    positions: ['Driver', 'Driver', 'Loader', 'Route Planner', 'Delivery Assistant'],
    salaries: [34_000, 72_000],
    locations: [campinas, campinas, jundiai, guarulhos],
    schedules: shifts,
  },
  {
    name: 'Warehouse',
    head: { name: 'Sônia Barreto', position: 'Warehouse Manager', salary: 126_000 },
    leads: 3,
    lead: 'Warehouse Supervisor',
    members: 26,
    positions: ['Picker', 'Packer', 'Forklift Operator', 'Stock Analyst', 'Receiving Clerk'],
    salaries: [31_000, 58_000],
    locations: [campinas, guarulhos, curitiba],
    schedules: shifts,
  },
  {
    name: 'Fleet',
    head: { name: 'Fernando Queiroz', position: 'Fleet Manager', salary: 118_500 },
    leads: 2,
    lead: 'Workshop Lead',
    members: 12,
    positions: ['Mechanic', 'Auto Electrician', 'Tyre Fitter', 'Fleet Analyst'],
    salaries: [42_000, 76_000],
    locations: [guarulhos, jundiai],
    schedules: shifts,
  },
  {
    name: 'Commercial',
    head: { name: 'Camila Teixeira', position: 'Commercial Director', salary: 172_000 },
    leads: 2,
    lead: 'Key Account Manager',
    members: 12,
    positions: ['Account Executive', 'Sales Analyst', 'Customer Service Agent'],
    salaries: [48_000, 98_000],
    locations: [headOffice, headOffice, curitiba],
    schedules: office,
  },
  {
    name: 'Finance',
    head: 'paulo.freitas@verdelog.example',
    leads: 1,
    lead: 'Payroll Lead',
    members: 6,
    positions: ['Accounts Payable Analyst', 'Payroll Analyst', 'Controller'],
    salaries: [55_000, 110_000],
    locations: [headOffice],
    schedules: office,
  },
  {
    name: 'People',
    head: 'helena.castro@verdelog.example',
    leads: 0,
    lead: '',
    members: 4,
    positions: ['Recruiter', 'People Analyst', 'Training Specialist'],
    salaries: [52_000, 88_000],
    locations: [headOffice],
    schedules: office,
  },
  {
    name: 'Technology',
    head: { name: 'Eduardo Vasconcelos', position: 'Technology Manager', salary: 165_000 },
    leads: 1,
    lead: 'Engineering Lead',
    members: 6,
    positions: ['Software Engineer', 'Data Analyst', 'Support Analyst'],
    salaries: [78_000, 142_000],
    locations: [headOffice, 'Remote'],
    schedules: office,
  },
];

/** Managers come before their reports. @param director email of the new heads' manager */
export function staff(random: Random, director: string): Employee[] {
  const people: Employee[] = [];
  const names = namesIn(random);
  const add = (department: Department, managerEmail: string, known: Partial<Employee>): Employee => {
    const { locations, schedules, salaries, positions } = department;
    const { name = names.next().value!, position = random.pick(positions) } = known;
    const [least, most] = salaries;
    const person = {
      name,
      email: addressOf(name),
      position,
      department: department.name,
      phone: `+55 ${random.pick(['11', '19', '41'])} 9${random.below(9_000) + 1_000}-${random.below(9_000) + 1_000}`,
      hire_date: hiredOn(random),
      salary: known.salary ?? Math.round((least + random.next() * (most - least)) / 100) * 100,
      work_schedule: random.pick(schedules),
      location: random.pick(locations),
      employee_number: `VL-${String(people.length + 101).padStart(4, '0')}`,
      manager_email: managerEmail,
    };
    people.push(person);
    return person;
  };
  for (const department of departments) {
    const { head, leads, lead, members, salaries } = department;
    const headEmail = typeof head === 'string' ? head : add(department, director, head).email;
    const leadEmails = Array.from({ length: leads }, () => {
      return add(department, headEmail, { position: lead, salary: Math.round(salaries[1] * 1.15) }).email;
    });
    const managers = leadEmails.length > 0 ? leadEmails : [headEmail];
    for (let at = 0; at < members; at++) add(department, managers[at % managers.length]!, {});
  }
  return people;
}

/** Full names, each with a unique email address. */
function* namesIn(random: Random): Generator<string, never> {
  const firsts = random.shuffled(firstNames);
  const lasts = random.shuffled(surnames);
  for (let at = 0; ; at++) {
    const last = lasts[(at * 7 + Math.floor(at / lasts.length)) % lasts.length]!;
    const middle = at % 3 === 0 ? ` ${lasts[(at * 11 + 3) % lasts.length]}` : '';
    yield `${firsts[at % firsts.length]}${middle} ${last}`;
  }
}

function addressOf(name: string): string {
  const words = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().split(' ');
  return `${words[0]}.${words.at(-1)}@verdelog.example`;
}

function hiredOn(random: Random): string {
  const month = String(random.below(12) + 1).padStart(2, '0');
  return `${2015 + random.below(10)}-${month}-${String(random.below(27) + 1).padStart(2, '0')}`;
}

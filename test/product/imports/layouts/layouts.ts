/** Layouts of well-known tools and of offices in several countries: their headers and notations. */
import { fullName, type Person, reversedName } from './people.ts';

type Value = string | undefined;

export interface LayoutCase {
  title: string;
  /** The recognized tool; none for an unknown layout. */
  tool?: string;
  delimiter?: ';';
  encoding?: 'latin1';
  above?: string;
  columns: Record<string, (person: Person) => Value>;
  questions?: string[];
  /** Missing required fields, so the file is rejected. */
  lacks?: string[];
  hasManagers?: boolean;
  /** Expected fields of the first person besides the name. */
  first?: Record<string, unknown>;
}

const nothing = () => undefined;
const always = (value: string) => () => value;
const given = ({ given: text }: Person) => text;
const family = ({ family: text }: Person) => text;
const email = ({ email: text }: Person) => text;
const number = ({ number: text }: Person) => text;
const position = ({ position: text }: Person) => text;
const department = ({ department: text }: Person) => text;
const boss = (named: (person: Person) => Value) => (person: Person) => person.boss && named(person.boss);
const dmy =
  (sign: string) =>
  ({ at }: Person) =>
    [`${14 + at}`, '03', '2021'].join(sign);
const mdy = ({ at }: Person) => `3/${14 + at}/2021`;
const left =
  (words: [there: string, left: string]) =>
  ({ at }: Person) =>
    words[Number(at === 3)];
const blank = (...headers: string[]) => Object.fromEntries(headers.map((header) => [header, nothing]));
const required = { 'Work Email': email, 'Job Title': position, Department: department };

export const layoutCases: LayoutCase[] = [
  {
    title: 'BambooHR', tool: 'BambooHR', hasManagers: true, first: { hire_date: '2021-03-14', employee_number: '0017' },
    columns: { 'Employee #': number, 'First Name': given, 'Last Name': family, ...required, 'Hire Date': mdy, 'Reporting to': boss(reversedName), Status: left(['Active', 'Terminated']), 'Pay Rate': always('68400.00 USD') },
  },
  {
    title: 'Bamboo, a report with the whole name', hasManagers: true, first: { hire_date: '2021-03-14', employee_number: '0017' },
    columns: { 'Employee #': number, 'Last name, First name': reversedName, 'Hire Date': mdy, 'Job Title': position, 'Reporting to': boss(reversedName), Department: department, 'Employment Status': left(['Full-Time', 'Terminated']), 'Work Email': email },
  },
  {
    title: 'a Spanish list with the family name first', delimiter: ';', first: { salary: 54_000.5 },
    columns: { 'Apellidos, nombre': reversedName, Correo: email, Puesto: position, Departamento: department, 'Salario bruto anual': always('54.000,50 €') },
  },
  {
    title: 'Personio', tool: 'Personio', hasManagers: true, delimiter: ';', first: { external_id: '7000', location: 'Köln' },
    columns: { ID: ({ at }) => `700${at}`, Vorname: given, Nachname: family, 'E-Mail': email, Position: position, Abteilung: department, 'Vorgesetzte*r': boss(fullName), Büro: always('Köln'), Eintrittsdatum: dmy('.'), Status: always('Aktiv'), Fixgehalt: always('4.100,50') },
  },
  {
    title: 'Google Workspace', tool: 'Google Workspace', hasManagers: true, first: { phone: '+15550100', employee_number: '0017' },
    columns: { 'First Name [Required]': given, 'Last Name [Required]': family, 'Email Address [Required]': email, 'Password [Required]': always('****'), 'Org Unit Path [Required]': always('/'), 'Status [READ ONLY]': always('Active'), ...blank('Recovery Email', 'Home Secondary Email', 'Work Secondary Email'), 'Recovery Phone [MUST BE IN THE E.164 FORMAT]': always('+15550199'), 'Work Phone': always('+15550100'), 'Mobile Phone': always('+15550101'), 'Employee ID': number, 'Employee Title': position, 'Manager Email': boss(email), Department: department, ...blank('Cost Center', 'Building ID', 'Floor Name', 'Floor Section') },
  },
  {
    title: 'Entra, export of users', tool: 'Microsoft Entra ID', first: { location: 'HQ' },
    columns: { userPrincipalName: email, displayName: fullName, surname: family, mail: email, givenName: given, id: always('5b1b9f1e'), userType: always('Member'), jobTitle: position, department, accountEnabled: always('True'), usageLocation: always('BR'), officeLocation: always('HQ'), telephoneNumber: nothing, mobilePhone: always('+551198765400'), createdDateTime: always('2021-03-01T12:00:00Z') },
  },
  {
    title: 'Entra, bulk creation', tool: 'Microsoft Entra ID', above: 'version:v1.0',
    columns: { 'Name [displayName] Required': fullName, 'User name [userPrincipalName] Required': email, 'Initial password [passwordProfile] Required': always('****'), 'Block sign in (Yes/No) [accountEnabled] Required': always('No'), 'First name [givenName]': given, 'Last name [surname]': family, 'Job title [jobTitle]': position, 'Department [department]': department, ...blank('Usage location [usageLocation]', 'Office phone [telephoneNumber]', 'Mobile phone [mobile]') },
  },
  {
    title: 'Microsoft 365', tool: 'Microsoft 365', first: { location: 'Lisboa' },
    columns: { 'User name': email, 'First name': given, 'Last name': family, 'Display name': fullName, 'Job title': position, Department: department, 'Office number': always('12'), ...blank('Office phone', 'Mobile phone', 'Fax', 'Alternate email address', 'Address'), City: always('Lisboa') },
  },
  {
    title: 'Active Directory', tool: 'Active Directory', above: '#TYPE Selected.Microsoft.ActiveDirectory.Management.ADUser', hasManagers: true,
    columns: { GivenName: given, Surname: family, DisplayName: reversedName, EmailAddress: email, Title: position, Department: department, Manager: boss((each) => `CN=${each.family}\\, ${each.given},OU=Staff,DC=example,DC=com`), Enabled: always('True') },
  },
  {
    title: 'PeopleForce', tool: 'PeopleForce', hasManagers: true,
    columns: { 'First name': given, 'Middle name': nothing, 'Last name': family, Email: email, 'Personal email': always('a@b.example'), 'Hired on': ({ at }) => `2021-03-${14 + at}`, Position: position, Department: department, 'Reports to': boss(email), Gender: nothing },
  },
  {
    title: 'Horilla', tool: 'Horilla', hasManagers: true, first: { work_schedule: 'Day Shift' },
    columns: { 'Badge ID': number, 'First Name': given, 'Last Name': family, Phone: always('5550100'), Email: email, Gender: always('female'), Department: department, 'Job Position': position, 'Job Role': nothing, Shift: always('Day Shift'), 'Work Type': always('Office'), 'Reporting Manager': boss((each) => `${fullName(each)} (${each.number})`), 'Employee Type': always('Hourly'), Location: always('Yard'), 'Date Joining': ({ at }) => `2021-03-${14 + at}`, 'Contract End Date': nothing, 'Basic Salary': always('38000') },
  },
  {
    title: 'ERPNext, template', tool: 'ERPNext', hasManagers: true, above: '"Data Import Template"\n"Table:","Employee"\n\n"DocType:","Employee"', first: { employee_number: '0017' },
    columns: { 'Column Labels:': nothing, ID: ({ number: text }) => `"${text}"`, 'Employee Name': fullName, 'Company Email': email, Designation: position, Department: department, 'Date of Joining': ({ at }) => `2021-03-${14 + at}`, 'Reports to': boss(number) },
  },
  {
    title: 'ERPNext, report', tool: 'ERPNext', hasManagers: true, questions: ['date_order'], first: { hire_date: '2021-03-01' },
    columns: { ID: number, 'Full Name': fullName, Status: always('Active'), 'Company Email': email, Designation: position, Department: department, 'Date of Joining': always('01-03-2021'), 'Reports to': boss(number), Branch: always('Porto') },
  },
  {
    title: 'Odoo', tool: 'Odoo', hasManagers: true, first: { location: 'Building 1' },
    columns: { 'External ID': ({ at }) => `__export__.hr_employee_${at}`, 'Employee Name': fullName, 'Work Email': email, 'Work Phone': always('+32 2 555 01 00'), 'Job Position': position, Department: department, Manager: boss(fullName), 'Work Location': always('Building 1'), 'Working Hours': always('Standard 40 hours/week'), Coach: nothing, Tags: always('Trainer') },
  },
  {
    title: 'Odoo, technical names', tool: 'Odoo', hasManagers: true,
    columns: { id: ({ at }) => `__export__.hr_employee_${at}`, name: fullName, work_email: email, work_phone: nothing, job_title: position, department_id: department, parent_id: boss(fullName) },
  },
  {
    title: 'OrangeHRM', tool: 'OrangeHRM', lacks: ['email', 'position', 'department'],
    columns: { 'First Name': given, 'Middle Name': nothing, 'Last Name': family, 'Employee Id': number, 'Other Id': nothing, "Driver's License No": nothing, 'Date of Birth': nothing, Gender: nothing },
  },
  { title: 'TimeOff', lacks: ['position'], columns: { email, lastname: family, name: given, department } },
  {
    title: 'Colombia', delimiter: ';', encoding: 'latin1', first: { hire_date: '2021-03-14' },
    columns: { Cédula: always('79000000'), Nombre: given, Apellidos: family, Cargo: position, Departamento: department, Rol: always('Empleado'), Correo: email, 'Fecha de ingreso': dmy('/'), Sueldo: always('$ 1.700.000,00') },
  },
  {
    title: 'Chile', delimiter: ';', hasManagers: true,
    columns: { RUT: always('11.111.111-1'), Nombres: given, 'Apellido Paterno': ({ family: text }) => text.split(' ')[0], 'Apellido Materno': ({ family: text }) => text.split(' ')[1], Cargo: position, Área: department, 'Correo corporativo': email, 'Jefe directo': boss(fullName) },
  },
  {
    title: 'Brazil, name in two columns', delimiter: ';',
    columns: { Nome: given, Sobrenome: family, 'E-mail': email, Cargo: position, Departamento: department, 'Data de admissão': dmy('/') },
  },
  {
    title: 'France', delimiter: ';', encoding: 'latin1', first: { salary: 38_500 },
    columns: { Matricule: number, Nom: family, Prénom: given, 'Adresse mail': email, Poste: position, Service: department, "Date d'entrée": dmy('/'), 'Salaire annuel brut': always('38 500,00 €') },
  },
  {
    title: 'DATEV', tool: 'DATEV', delimiter: ';', encoding: 'latin1', first: { employee_number: '0017' },
    columns: { 'Pers.-Nr.': number, Name: family, Vorname: given, Eintritt: dmy('.'), Austritt: nothing, Abteilung: department, Tätigkeit: position, 'E-Mail': email, Bruttogehalt: always('54.000,00') },
  },
  {
    title: 'Brazil, payroll', delimiter: ';', encoding: 'latin1', hasManagers: true, first: { salary: 3_500 },
    columns: { Matrícula: number, Nome: (each) => fullName(each).toUpperCase(), CPF: always('123.456.780-00'), Cargo: position, Setor: department, 'Data de Admissão': dmy('/'), Salário: always('R$ 3.500,00'), 'E-mail': email, Gestor: boss(fullName), Situação: left(['Ativo', 'Demitido']) },
  },
  {
    title: 'ADP', tool: 'ADP', hasManagers: true, first: { salary: 68_400, employee_number: '0017' },
    columns: { 'Payroll Name': reversedName, 'Associate ID': number, 'Job Title Description': position, 'Home Department Description': department, 'Work Contact: Work Email': email, 'Hire Date': mdy, 'Annual Salary': always('$68,400.00'), 'Reports To Name': boss(reversedName), 'Position Status': left(['Active', 'Terminated']) },
  },
  {
    title: 'Workday', tool: 'Workday', hasManagers: true, above: 'All active workers\nEffective,2026-11-25',
    columns: { Worker: fullName, 'Employee ID': number, 'Email - Work': email, 'Business Title': position, 'Supervisory Organization': department, 'Hire Date': mdy, Manager: boss(fullName), Location: always('Porto') },
  },
  {
    title: 'Rippling', tool: 'Rippling', hasManagers: true, first: { salary: 68_400 },
    columns: { Employee: fullName, 'Work email': email, Title: position, Department: department, 'Start date': ({ at }) => `2021-03-${14 + at}`, Manager: boss(fullName), 'Employment type': always('Full-time'), 'Annual compensation': always('$68,400.00 USD') },
  },
  { title: 'Attrition sample', lacks: ['name', 'email'], columns: { Age: always('41'), Department: department, EmployeeNumber: number, JobRole: position, MonthlyIncome: always('5993') } },
  { title: 'HR data set', lacks: ['email'], columns: { Employee_Name: reversedName, EmpID: number, Salary: always('62506'), Position: position, DateofHire: mdy, Department: department } },
  {
    title: 'Sample with salaries', first: { salary: 141_604 },
    columns: { EEID: number, 'Full Name': fullName, 'Job Title': position, Department: department, 'Hire Date': mdy, 'Annual Salary': always('$141,604 '), 'Bonus %': always('15% '), Country: always('US'), 'Exit Date': ({ at }) => (at === 3 ? '10/16/2021' : ''), Email: email },
  },
  {
    title: 'Oracle sample', lacks: ['position', 'department'],
    columns: { EMPLOYEE_ID: number, FIRST_NAME: given, LAST_NAME: family, EMAIL: email, PHONE_NUMBER: always('515.123.4567'), HIRE_DATE: ({ at }) => `${14 + at}-MAR-21`, JOB_ID: always('17'), SALARY: always('24000'), DEPARTMENT_ID: always('90') },
  },
  {
    title: 'headers with breaks and abbreviations', delimiter: ';', first: { phone: '(11) 98765-4321' },
    columns: { '"Nome\nCompleto"': fullName, '"E-mail\n(corporativo)"': email, 'CARGO / FUNÇÃO': position, 'Depto.': department, 'Dt. Admissão': dmy('/'), 'Tel. Celular': always('(11) 98765-4321'), 'Salário Mensal': always('3.500,00') },
  },
  {
    title: 'first, last and company name',
    columns: { 'First Name': given, 'Last Name': family, 'Company Name': always('Verde Ltda'), Email: email, Position: position, Department: department },
  },
]; // biome-ignore format: a table

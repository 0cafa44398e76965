/**
 * Layouts of well-known tools with ambiguous headers. A file with all headers of `has` is such an export; `columns` maps its
 * headers, with null for ignored ones. Case and accents don't matter. Column names are facts of the tools' public templates.
 */
import type { TableField } from './import-fields.ts';

export interface Layout {
  name: string;
  has: readonly string[];
  columns: Readonly<Record<string, TableField | null>>;
  /** First cells of rows below the headers that aren't people. */
  notes?: readonly string[];
}

export const knownLayouts: readonly Layout[] = [
  {
    name: 'Google Workspace',
    has: ['First Name [Required]', 'Last Name [Required]', 'Email Address [Required]', 'Org Unit Path [Required]'],
    columns: {
      'Employee Title': 'position',
      'Manager Email': 'manager_email',
      'Work Phone': 'phone',
      'Home Phone': null,
      'Mobile Phone': null,
      'Recovery Phone [MUST BE IN THE E.164 FORMAT]': null,
      'Recovery Email': null,
      'Home Secondary Email': null,
      'Work Secondary Email': null,
      'Status [READ ONLY]': 'status',
      'New Status [UPLOAD ONLY]': null,
      'New Primary Email [UPLOAD ONLY]': null,
    },
  },
  {
    name: 'Microsoft Entra ID',
    has: ['userPrincipalName', 'displayName', 'accountEnabled'],
    columns: {
      displayName: 'name',
      userPrincipalName: 'email',
      mail: null,
      surname: null,
      givenName: null,
      id: null,
      alternateEmailAddress: null,
      telephoneNumber: 'phone',
      mobilePhone: null,
      officeLocation: 'location',
      accountEnabled: 'status',
    },
  },
  {
    name: 'Microsoft Entra ID',
    has: ['Name [displayName] Required', 'User name [userPrincipalName] Required'],
    columns: {
      'Name [displayName] Required': 'name',
      'User name [userPrincipalName] Required': 'email',
      'Job title [jobTitle]': 'position',
      'Department [department]': 'department',
      'First name [givenName]': null,
      'Last name [surname]': null,
      'Office location [physicalDeliveryOfficeName]': 'location',
      'Office phone [telephoneNumber]': 'phone',
      'Mobile phone [mobile]': null,
    },
  },
  {
    name: 'Microsoft 365',
    has: ['User name', 'First name', 'Last name', 'Display name', 'Alternate email address'],
    columns: {
      'User name': 'email',
      'Display name': 'name',
      'First name': null,
      'Last name': null,
      'Alternate email address': null,
      'Office number': null,
      'Office phone': 'phone',
      'Mobile phone': null,
      City: 'location',
    },
  },
  {
    name: 'Active Directory',
    has: ['GivenName', 'Surname', 'DisplayName', 'EmailAddress', 'Enabled'],
    columns: { DisplayName: null, Enabled: 'status', Manager: 'manager' },
  },
  {
    name: 'BambooHR',
    has: ['Employee #', 'First Name', 'Last Name', 'Work Email', 'Reporting to'],
    columns: { 'Pay Rate': null },
  },
  {
    name: 'Personio',
    has: ['First name', 'Last name', 'Email', 'Supervisor', 'Office'],
    columns: { ID: 'external_id', 'Fixed salary': null },
  },
  {
    name: 'Personio',
    has: ['Vorname', 'Nachname', 'E-Mail', 'Büro', 'Fixgehalt'],
    columns: { ID: 'external_id', Fixgehalt: null },
  },
  {
    name: 'PeopleForce',
    has: ['First name', 'Last name', 'Email', 'Hired on', 'Position', 'Department'],
    columns: { 'Personal email': null, 'Reports to': 'manager' },
  },
  {
    name: 'Horilla',
    has: ['Badge ID', 'First Name', 'Last Name', 'Job Position'],
    columns: {
      'Badge ID': 'employee_number',
      'Badge Id': 'employee_number',
      Email: 'email',
      'Work Email': null,
      'Reporting Manager': 'manager',
      'Work Type': null,
      'Employee Type': null,
      Shift: 'work_schedule',
      Gender: null,
      Company: null,
      'Basic Salary': null,
    },
  },
  {
    name: 'ERPNext',
    has: ['Company Email', 'Designation', 'Date of Joining', 'Reports to'],
    columns: {
      ID: 'employee_number',
      'Reports to': 'manager_employee_number',
      'Company Email': 'email',
      'Date of Joining': 'hire_date',
      'Column Labels:': null,
    },
    notes: ['Column Name:', 'Mandatory:', 'Type:', 'Start entering data below this line'],
  },
  {
    name: 'ERPNext',
    has: ['employee_name', 'company_email', 'designation', 'date_of_joining', 'reports_to'],
    columns: {
      name: 'employee_number',
      employee_name: 'name',
      reports_to: 'manager_employee_number',
      company_email: 'email',
      date_of_joining: 'hire_date',
    },
  },
  {
    name: 'Odoo',
    has: ['Employee Name', 'Work Email', 'Job Position', 'Department', 'Manager'],
    columns: { 'Employee Name': 'name', 'Work Mobile': null, 'Work Location': 'location', Company: null },
  },
  {
    name: 'Odoo',
    has: ['name', 'work_email', 'job_title', 'department_id'],
    columns: {
      'department_id/name': 'department',
      department_id: 'department',
      'parent_id/name': 'manager',
      parent_id: 'manager',
      work_phone: 'phone',
      mobile_phone: null,
      id: null,
    },
  },
  {
    name: 'OrangeHRM',
    has: ['First Name', 'Middle Name', 'Last Name', 'Employee Id', 'Other Id'],
    columns: { 'Employee Id': 'employee_number', 'Work Email': 'email', 'Other Email': null },
  },
  {
    name: 'DATEV',
    has: ['Pers.-Nr.', 'Name', 'Vorname', 'Eintritt'],
    columns: { Name: 'family_name', Vorname: 'given_name', Bruttogehalt: null },
  },
  {
    name: 'ADP',
    has: ['Payroll Name', 'Job Title Description', 'Home Department Description'],
    columns: {
      'Payroll Name': 'name',
      'Associate ID': 'employee_number',
      'File Number': null,
      'Position ID': null,
      'Job Title Description': 'position',
      'Home Department Description': 'department',
      'Location Description': 'location',
      'Work Contact: Work Email': 'email',
      'Work Contact: Work Phone': 'phone',
      'Reports To Name': 'manager',
      'Position Status': 'status',
      'Hire Date': 'hire_date',
      'Termination Date': 'termination_date',
      'Annual Salary': 'salary',
    },
  },
  {
    name: 'Workday',
    has: ['Worker', 'Business Title', 'Supervisory Organization'],
    columns: {
      Worker: 'name',
      'Employee ID': 'employee_number',
      'Email - Work': 'email',
      'Email - Primary Work': 'email',
      'Phone - Work': 'phone',
      'Business Title': 'position',
      'Job Profile': null,
      'Supervisory Organization': 'department',
      'Worker Status': 'status',
      'Time Type': null,
    },
  },
  {
    name: 'Rippling',
    has: ['Employee', 'Work email', 'Title', 'Department', 'Start date'],
    columns: {
      Employee: 'name',
      'Employee number': 'employee_number',
      'Annual compensation': 'salary',
      'Employment type': null,
      'Work location': 'location',
    },
  },
];

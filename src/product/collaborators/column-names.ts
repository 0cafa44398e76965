/**
 * What columns are called in files of other systems, beside their key and their label: in English, Portuguese, Spanish,
 * German and French. Case, accents and punctuation make no difference. A name is here only when it means one field.
 */
import type { ImportField, readOnlyColumns } from './sheet-columns.ts';

export const columnNames = {
  name: {
    en: ['Full name', 'Employee name'],
    pt: ['Nome', 'Nome completo', 'Nome do colaborador', 'Nome do funcionário'],
    es: ['Nombre', 'Nombre completo', 'Nombre y apellidos', 'Nombre del empleado'],
    de: ['Name, Vorname', 'Vollständiger Name', 'Vor- und Nachname', 'Name des Mitarbeiters'],
    fr: ['Nom', 'Nom complet', 'Nom et prénom', 'Prénom et nom'],
  },
  email: {
    en: ['Email address', 'Work email', 'Mail'],
    pt: ['E-mail', 'Endereço de e-mail', 'E-mail corporativo', 'Correio eletrônico'],
    es: ['Correo electrónico', 'Correo', 'Dirección de correo electrónico'],
    de: ['E-Mail-Adresse', 'Mailadresse'],
    fr: ['Courriel', 'Adresse e-mail', 'Adresse électronique', 'Adresse mail'],
  },
  position: {
    en: ['Job title', 'Title'],
    pt: ['Cargo', 'Posição', 'Função'],
    es: ['Puesto', 'Puesto de trabajo', 'Posición'],
    de: ['Stelle', 'Stellenbezeichnung', 'Berufsbezeichnung'],
    fr: ['Poste', 'Fonction', 'Intitulé du poste'],
  },
  department: {
    en: ['Team'],
    pt: ['Departamento', 'Setor', 'Equipe'],
    es: ['Departamento', 'Equipo'],
    de: ['Abteilung', 'Bereich'],
    fr: ['Département', 'Service', 'Équipe'],
  },
  phone: {
    en: ['Phone number', 'Telephone', 'Mobile', 'Mobile phone'],
    pt: ['Telefone', 'Celular', 'Telemóvel'],
    es: ['Teléfono', 'Móvil', 'Número de teléfono'],
    de: ['Telefon', 'Telefonnummer', 'Mobiltelefon', 'Handy'],
    fr: ['Téléphone', 'Numéro de téléphone', 'Portable', 'Téléphone portable'],
  },
  hire_date: {
    en: ['Start date', 'Date of hire', 'Hired on', 'Joining date'],
    pt: ['Data de admissão', 'Admissão', 'Data de contratação', 'Data de início'],
    es: ['Fecha de contratación', 'Fecha de ingreso', 'Fecha de alta', 'Fecha de inicio'],
    de: ['Eintrittsdatum', 'Eintritt', 'Einstellungsdatum'],
    fr: ["Date d'embauche", "Date d'entrée", 'Date de début'],
  },
  termination_date: {
    en: ['End date', 'Last day', 'Leaving date', 'Last working day'],
    pt: ['Data de desligamento', 'Data de demissão', 'Data de saída', 'Desligamento'],
    es: ['Fecha de baja', 'Fecha de salida', 'Fecha de terminación', 'Fecha de cese'],
    de: ['Austrittsdatum', 'Austritt', 'Letzter Arbeitstag'],
    fr: ['Date de départ', 'Date de sortie', 'Date de fin', 'Dernier jour de travail'],
  },
  salary: {
    en: ['Annual salary', 'Yearly salary'],
    pt: ['Salário', 'Salário anual'],
    es: ['Salario', 'Salario anual', 'Sueldo anual'],
    de: ['Gehalt', 'Jahresgehalt'],
    fr: ['Salaire', 'Salaire annuel'],
  },
  manager_email: {
    en: ['Manager email address', 'Supervisor email', "Manager's email"],
    pt: ['E-mail do gestor', 'E-mail da gestora', 'E-mail do gerente', 'E-mail do superior'],
    es: ['Correo del responsable', 'Correo electrónico del responsable', 'Correo del gerente', 'Email del responsable'],
    de: ['E-Mail der Führungskraft', 'E-Mail des Vorgesetzten', 'E-Mail Vorgesetzter'],
    fr: ['E-mail du responsable', 'E-mail du manager', 'Courriel du responsable'],
  },
  manager_id: {
    en: ['Supervisor ID'],
    pt: ['ID do gestor', 'ID do gerente'],
    es: ['ID del responsable', 'ID del gerente'],
    de: ['ID der Führungskraft', 'ID des Vorgesetzten'],
    fr: ['ID du responsable', 'ID du manager'],
  },
  work_schedule: {
    en: ['Schedule', 'Working hours'],
    pt: ['Horário de trabalho', 'Jornada', 'Jornada de trabalho'],
    es: ['Horario', 'Horario de trabajo', 'Jornada laboral'],
    de: ['Arbeitszeit', 'Arbeitszeiten', 'Arbeitszeitmodell'],
    fr: ['Horaire', 'Horaires', 'Horaires de travail', 'Temps de travail'],
  },
  location: {
    en: ['Office', 'Work location', 'Site'],
    pt: ['Local', 'Local de trabalho', 'Localização', 'Unidade'],
    es: ['Ubicación', 'Lugar de trabajo', 'Localidad', 'Sede'],
    de: ['Standort', 'Arbeitsort'],
    fr: ['Lieu', 'Lieu de travail', 'Localisation'],
  },
  external_id: {
    en: ['External identifier', 'Source ID'],
    pt: ['ID externo', 'Código externo', 'Identificador externo'],
    es: ['ID externo', 'Identificador externo', 'Código externo'],
    de: ['Externe ID', 'Externe Kennung'],
    fr: ['ID externe', 'Identifiant externe'],
  },
  employee_number: {
    en: ['Employee no.', 'Employee ID', 'Staff number', 'Personnel number', 'Payroll number'],
    pt: ['Matrícula', 'Número do funcionário', 'Número do colaborador', 'Número de matrícula'],
    es: ['Número de empleado', 'N.º de empleado', 'Legajo'],
    de: ['Personalnummer', 'Personal-Nr.', 'Mitarbeiternummer'],
    fr: ['Matricule', "Numéro d'employé", 'Numéro de salarié'],
  },
  'emergency_contact.name': {
    en: ['Emergency contact'],
    pt: ['Contato de emergência', 'Contacto de emergência', 'Nome do contato de emergência'],
    es: ['Contacto de emergencia', 'Nombre del contacto de emergencia'],
    de: ['Notfallkontakt', 'Name des Notfallkontakts', 'Notfallkontakt Name'],
    fr: ["Contact d'urgence", "Nom du contact d'urgence", 'Personne à prévenir'],
  },
  'emergency_contact.phone': {
    en: ['Emergency phone', 'Emergency contact number'],
    pt: ['Telefone de emergência', 'Telefone do contato de emergência'],
    es: ['Teléfono de emergencia', 'Teléfono del contacto de emergencia'],
    de: ['Notfalltelefon', 'Telefon des Notfallkontakts', 'Notfallkontakt Telefon'],
    fr: ["Téléphone d'urgence", "Téléphone du contact d'urgence"],
  },
  'emergency_contact.relationship': {
    en: ['Emergency relationship'],
    pt: ['Parentesco', 'Parentesco do contato de emergência'],
    es: ['Parentesco con el contacto de emergencia', 'Relación con el contacto de emergencia'],
    de: ['Beziehung zum Notfallkontakt', 'Notfallkontakt Beziehung'],
    fr: ['Lien de parenté', "Lien avec le contact d'urgence"],
  },
} as const satisfies Record<ImportField, Record<'en' | 'pt' | 'es' | 'de' | 'fr', readonly string[]>>;

/** Of columns that an import leaves out, in all of the languages. */
export const readOnlyNames = {
  id: [],
  status: ['Situação', 'Estado', 'Statut'],
  role: ['Papel', 'Perfil de acesso', 'Rol', 'Rolle', 'Rôle'],
  manager_name: [
    ...['Nome do gestor', 'Nome do gerente', 'Nombre del responsable', 'Nombre del gerente'],
    ...['Name der Führungskraft', 'Name des Vorgesetzten', 'Nom du responsable', 'Nom du manager'],
  ],
  avatar_url: ['Foto', 'Photographie'],
  created_at: ['Criado em', 'Creado el', 'Erstellt am', 'Créé le'],
  updated_at: ['Atualizado em', 'Actualizado el', 'Geändert am', 'Modifié le'],
} as const satisfies Record<(typeof readOnlyColumns)[number]['key'], readonly string[]>;

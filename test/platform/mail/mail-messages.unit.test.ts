/** Emails in each language: subject, text, and HTML agree, and contain no other language. */
import type { Language } from '../../../src/contract/languages/language.ts';
import type { Mail, MailTemplates } from '../../../src/platform/mail/mail-queue.ts';
import { renderMail } from '../../../src/platform/mail/render-mail.ts';

const name = 'Inês <Sá>';
const company = 'Verde Logística';
const link = 'https://api.example/oauth/x?a=1&b=2';
const values: MailTemplates = {
  invitation: { name, company, link, daysValid: 7 },
  password_reset: { name, link, minutesValid: 30 },
  password_changed: { name },
  new_device: { name, device: 'Firefox, Linux', address: '192.0.2.1', time: '2026-03-02 09:15 UTC' },
  confirm_address: { name, company, link, daysValid: 7 },
  confirm_own_address: { name, link, daysValid: 1 },
  provider_linked: { name, company, connection: 'Verdelog Okta' },
  left_company: { name, company, person: 'Rui' },
  address_changed: { name },
  factor_added: { name, factor: 'Nokia' },
  factor_removed: { name, factor: 'Nokia' },
  factors_taken: { name },
  factors_of_person_taken: { name, company, person: 'Rui' },
  recovery_codes_renewed: { name },
  recovery_code_used: { name, left: 9 },
  installer_left: { name, company, app: 'Shift planner', link, daysValid: 30 },
  installer_demoted: { name, company, app: 'Shift planner', person: 'Rui', isSuspended: true, link, daysValid: 30 },
  webhook_failing: {
    name,
    company,
    host: 'hooks.example',
    description: 'Payroll',
    explanation: '503',
    time: '2026-03-02 09:15 UTC',
    consolePath: '/console/x/webhooks/y',
  },
  directory_roles: { name, company, directory: 'Okta', consolePath: '/console/1/directories/2' },
  certificate_expiring: { name, company, connection: 'Okta', date: '2026-12-24', consolePath: '/console/1/sign-in/2' },
  directory_token: { name, company, directory: 'Okta', days: 90, consolePath: '/console/1/directories/2' },
  import_failed: {
    name,
    company,
    filename: 'march.xlsx',
    explanation: '2/120',
    consolePath: '/console/1/imports/2',
  },
  invitations_expired: { name, company, people: 'Rui', count: 1, consolePath: '/console/1/people/2' },
  webhook_deactivated: { name, company, host: 'hooks.example', description: 'Payroll', explanation: '410' },
};

const subjects: Record<keyof MailTemplates, Record<Language, string>> = {
  invitation: {
    en: 'Verde Logística invited you',
    pt: 'Verde Logística convidou você',
    es: 'Verde Logística le ha invitado',
  },
  password_reset: { en: 'Choose a new password', pt: 'Escolha uma nova senha', es: 'Elija una contraseña nueva' },
  password_changed: { en: 'Your password was changed', pt: 'Sua senha foi alterada', es: 'Se cambió su contraseña' },
  new_device: {
    en: 'A new device signed in to your account',
    pt: 'Um novo dispositivo entrou na sua conta',
    es: 'Un dispositivo nuevo ha iniciado sesión en su cuenta',
  },
  confirm_address: {
    en: 'Confirm your new address',
    pt: 'Confirme seu novo endereço',
    es: 'Confirme su nueva dirección',
  },
  confirm_own_address: {
    en: 'Confirm your new address',
    pt: 'Confirme seu novo endereço',
    es: 'Confirme su nueva dirección',
  },
  provider_linked: {
    en: 'You now sign in to Verde Logística with Verdelog Okta',
    pt: 'Agora você entra em Verde Logística com Verdelog Okta',
    es: 'Ahora inicia sesión en Verde Logística con Verdelog Okta',
  },
  left_company: {
    en: 'Rui has left Verde Logística',
    pt: 'Rui saiu de Verde Logística',
    es: 'Rui ha dejado Verde Logística',
  },
  address_changed: {
    en: 'You now sign in with another address',
    pt: 'Você agora entra com outro endereço',
    es: 'Ahora inicia sesión con otra dirección',
  },
  factor_added: {
    en: 'A second factor was added to your account',
    pt: 'Um segundo fator foi adicionado à sua conta',
    es: 'Se añadió un segundo factor a su cuenta',
  },
  factor_removed: {
    en: 'A second factor was removed from your account',
    pt: 'Um segundo fator foi removido da sua conta',
    es: 'Se eliminó un segundo factor de su cuenta',
  },
  factors_taken: {
    en: 'Your second factors were removed',
    pt: 'Seus segundos fatores foram removidos',
    es: 'Se eliminaron sus segundos factores',
  },
  factors_of_person_taken: {
    en: 'The second factors of Rui were removed',
    pt: 'Os segundos fatores de Rui foram removidos',
    es: 'Se eliminaron los segundos factores de Rui',
  },
  recovery_codes_renewed: {
    en: 'You have new recovery codes',
    pt: 'Você tem novos códigos de recuperação',
    es: 'Tiene códigos de recuperación nuevos',
  },
  recovery_code_used: {
    en: 'Somebody signed in with a recovery code',
    pt: 'Alguém entrou com um código de recuperação',
    es: 'Alguien inició sesión con un código de recuperación',
  },
  installer_left: {
    en: 'Should Shift planner keep working?',
    pt: 'Manter Shift planner em funcionamento?',
    es: '¿Mantener Shift planner en funcionamiento?',
  },
  installer_demoted: {
    en: 'Shift planner is suspended',
    pt: 'Shift planner está suspenso',
    es: 'Shift planner está suspendida',
  },
  webhook_failing: {
    en: 'Webhook to hooks.example is about to be disabled',
    pt: 'O webhook para hooks.example está prestes a ser desativado',
    es: 'El webhook a hooks.example está a punto de desactivarse',
  },
  directory_roles: {
    en: 'The group roles of Okta changed',
    pt: 'Os papéis dos grupos de Okta mudaram',
    es: 'Cambiaron los roles de los grupos de Okta',
  },
  certificate_expiring: {
    en: 'The certificate of Okta expires on 2026-12-24',
    pt: 'O certificado de Okta expira em 2026-12-24',
    es: 'El certificado de Okta caduca el 2026-12-24',
  },
  directory_token: {
    en: 'The token of Okta is old',
    pt: 'O token de Okta é antigo',
    es: 'El token de Okta es antiguo',
  },
  import_failed: {
    en: 'The import of march.xlsx failed',
    pt: 'A importação de march.xlsx falhou',
    es: 'La importación de march.xlsx falló',
  },
  invitations_expired: {
    en: 'The invitation of Rui has expired',
    pt: 'O convite de Rui expirou',
    es: 'La invitación de Rui ha caducado',
  },
  webhook_deactivated: {
    en: 'Webhook to hooks.example was disabled',
    pt: 'O webhook para hooks.example foi desativado',
    es: 'Se desactivó el webhook a hooks.example',
  },
};

const tags = { en: 'en', pt: 'pt-BR', es: 'es' };
/** Words that occur only in the other languages. */
const foreign = {
  en: /\b(você|senha|endereço|usted|contraseña|dirección)\b/i,
  pt: /\b(you|your|the|password|address|usted|contraseña|dirección|su|correo)\b/i,
  es: /\b(you|your|the|password|address|você|senha|endereço|seu|sua)\b/i,
};

const cases = Object.keys(values).flatMap((template) =>
  (['en', 'pt', 'es'] as const).map((language) => [template as keyof MailTemplates, language] as const),
);

describe.each(cases)('the email %s in %s', (template, language) => {
  const mail = renderMail(
    { template, to: 'ines@example.com', language, values: values[template] } as Mail,
    'https://people.example.com',
  );

  test('has its subject and language', () => {
    expect(mail.subject).toBe(subjects[template][language]);
    expect(mail.language).toBe(tags[language]);
    expect(mail.html).toContain(`<html lang="${tags[language]}">`);
  });

  test('contains no other language', () => {
    const words = mail.html.replace(/<head>[\s\S]*?<\/head>|<[^>]*>|https?:\S+/g, ' ');
    expect(foreign[language].exec(words)?.[0]).toBeUndefined();
    expect(foreign[language].exec(mail.text.replace(/https?:\S+/g, ' '))?.[0]).toBeUndefined();
  });

  test('has the same content as text and as HTML', () => {
    const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
    const html = flat(
      mail.html
        .replace(/<[^>]*>/g, ' ')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&'),
    );
    for (const paragraph of mail.text.split('\n\n')) expect(html).toContain(flat(paragraph).replace(/:$/, ''));
    expect(mail.text).not.toMatch(/undefined|\[object|\{\d\}/);
  });

  const { link: ownLink, consolePath } = values[template] as { link?: string; consolePath?: string };
  const expectedLink = ownLink ?? (consolePath && `https://people.example.com${consolePath}`);
  if (expectedLink) {
    test('has its link on a separate line', () => {
      expect(mail.text.split('\n')).toContain(expectedLink);
    });
  }
});

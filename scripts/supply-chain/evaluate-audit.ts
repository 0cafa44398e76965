/** Compares the report of `npm audit --json` with the advisories that are accepted for a limited time. */

export interface Allowance {
  /** `GHSA-…`. */
  id: string;
  package: string;
  reason: string;
  /** Last valid day, such as 2026-03-01. */
  until: string;
}

export interface Advisory {
  id: string;
  package: string;
  severity: string;
  title: string;
  paths: string[];
}

interface Vulnerability {
  name: string;
  nodes?: string[];
  /** Advisories, or names of vulnerable dependencies. */
  via: (string | { name: string; title?: string; url?: string; severity?: string; source?: number })[];
}

/** The registry returned no report. */
export class AuditUnavailable extends Error {
  override name = 'AuditUnavailable';
}

/** @throws AuditUnavailable when it is not a report */
export function advisoriesOf(report: unknown): Advisory[] {
  const { vulnerabilities, message, error } = report as {
    vulnerabilities?: Record<string, Vulnerability>;
    message?: string;
    error?: { summary?: string };
  };
  if (!vulnerabilities) throw new AuditUnavailable(message || error?.summary || 'npm audit gave no report');
  const found = new Map<string, Advisory>();
  for (const { nodes = [], via } of Object.values(vulnerabilities)) {
    for (const cause of via) {
      if (typeof cause === 'string') continue;
      const id = /GHSA(-[\w]{4}){3}/i.exec(cause.url ?? '')?.[0] ?? String(cause.source);
      const { name, severity = 'unknown', title = '' } = cause;
      found.set(`${id} ${name}`, { id, package: name, severity, title, paths: nodes });
    }
  }
  return [...found.values()];
}

/** Maximum validity of an allowance. */
const maxDays = 90;

/**
 * @param today such as 2026-03-01
 * @returns findings, one line each
 */
export function evaluateAudit(advisories: readonly Advisory[], allowed: readonly Allowance[], today: string): string[] {
  const isAbout = (allowance: Allowance, advisory: Advisory) =>
    allowance.id === advisory.id && allowance.package === advisory.package;
  const unknown = advisories.filter((advisory) => !allowed.some((allowance) => isAbout(allowance, advisory)));
  const furthest = new Date(Date.parse(today) + maxDays * 86_400_000).toISOString().slice(0, 10);
  return [
    ...unknown.map(
      ({ id, package: name, severity, title, paths }) =>
        `${name}: ${severity}: ${title} (${id}) at ${paths.join(', ')}`,
    ),
    ...allowed.flatMap((allowance) => {
      const { id, package: name, until } = allowance;
      if (!advisories.some((advisory) => isAbout(allowance, advisory))) {
        return [`${name}: ${id} is not found anymore: remove it from the list`];
      }
      if (until < today) return [`${name}: ${id} was allowed until ${until}: update the package, or decide again`];
      return until > furthest ? [`${name}: ${id} is allowed until ${until}, longer than ${maxDays} days`] : [];
    }),
  ];
}

/** Route table. Filters are part of the URL, so any list can be shared. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { company, entry, root } from './company-route.ts';
import { readAuditFilters } from './screens/audit/filters.ts';
import { readConnectionFilters } from './screens/connections/filters.ts';
import { readEventFilters } from './screens/events/filters.ts';
import { readExportChoice, readExportFilters } from './screens/exports/filters.ts';
import { readImportFilters } from './screens/imports/filters.ts';
import { readColleagueFilters, readDeletedFilters, readListSearch, readOrgView } from './screens/people/filters.ts';
import { readFilters } from './screens/webhooks/filters.ts';

const single = [
  createRoute({
    getParentRoute: () => company,
    path: '/',
    component: lazyRouteComponent(() => import('./screens/home/home.tsx'), 'Home'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'colleagues',
    validateSearch: readColleagueFilters,
    component: lazyRouteComponent(() => import('./screens/colleagues/colleagues.tsx'), 'Colleagues'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'audit',
    validateSearch: readAuditFilters,
    component: lazyRouteComponent(() => import('./screens/audit/audit.tsx'), 'Audit'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'events',
    validateSearch: readEventFilters,
    component: lazyRouteComponent(() => import('./screens/events/events.tsx'), 'Events'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'webhooks',
    component: lazyRouteComponent(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'webhooks/new',
    component: lazyRouteComponent(() => import('./screens/webhooks/settings/new-webhook.tsx'), 'NewWebhook'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'apps',
    component: lazyRouteComponent(() => import('./screens/apps/apps.tsx'), 'Apps'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'apps/new',
    component: lazyRouteComponent(() => import('./screens/apps/new-app.tsx'), 'NewApp'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'company',
    component: lazyRouteComponent(() => import('./screens/company/company.tsx'), 'CompanyScreen'),
  }),
] as const;

const people = createRoute({ getParentRoute: () => company, path: 'people' });

const peopleList = createRoute({
  getParentRoute: () => people,
  path: '/',
  validateSearch: readListSearch,
  component: lazyRouteComponent(() => import('./screens/people/list/people.tsx'), 'People'),
});

const orgChart = createRoute({
  getParentRoute: () => people,
  path: 'org',
  validateSearch: readOrgView,
  component: lazyRouteComponent(() => import('./screens/people/org.tsx'), 'OrgChart'),
});

const deletedPeople = createRoute({
  getParentRoute: () => people,
  path: 'deleted',
  validateSearch: readDeletedFilters,
  component: lazyRouteComponent(() => import('./screens/people/list/deleted.tsx'), 'Deleted'),
});

const newPerson = createRoute({
  getParentRoute: () => people,
  path: 'new',
  component: lazyRouteComponent(() => import('./screens/people/person/new-person.tsx'), 'NewPerson'),
});

const person = createRoute({
  getParentRoute: () => people,
  path: '$person',
  component: lazyRouteComponent(() => import('./screens/people/person/person.tsx'), 'PersonScreen'),
});

const personParts = [
  createRoute({
    getParentRoute: () => person,
    path: '/',
    component: lazyRouteComponent(() => import('./screens/people/person/profile.tsx'), 'Profile'),
  }),
  createRoute({
    getParentRoute: () => person,
    path: 'history',
    component: lazyRouteComponent(() => import('./screens/people/person/history.tsx'), 'History'),
  }),
  createRoute({
    getParentRoute: () => person,
    path: 'documents',
    component: lazyRouteComponent(() => import('./screens/people/person/documents.tsx'), 'Documents'),
  }),
  createRoute({
    getParentRoute: () => person,
    path: 'notifications',
    component: lazyRouteComponent(() => import('./screens/people/person/notifications.tsx'), 'Notifications'),
  }),
] as const;

const importParts = [
  createRoute({
    getParentRoute: () => company,
    path: 'imports',
    validateSearch: readImportFilters,
    component: lazyRouteComponent(() => import('./screens/imports/imports.tsx'), 'Imports'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'imports/new',
    component: lazyRouteComponent(() => import('./screens/imports/file/new-import.tsx'), 'NewImport'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'imports/$import',
    component: lazyRouteComponent(() => import('./screens/imports/import.tsx'), 'ImportScreen'),
  }),
] as const;

const exportParts = [
  createRoute({
    getParentRoute: () => company,
    path: 'exports',
    validateSearch: readExportFilters,
    component: lazyRouteComponent(() => import('./screens/exports/exports.tsx'), 'Exports'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'exports/new',
    validateSearch: readExportChoice,
    component: lazyRouteComponent(() => import('./screens/exports/new-export.tsx'), 'NewExport'),
  }),
] as const;

const webhook = createRoute({
  getParentRoute: () => company,
  path: 'webhooks/$webhook',
  component: lazyRouteComponent(() => import('./screens/webhooks/webhook.tsx'), 'WebhookScreen'),
});

const deliveries = createRoute({
  getParentRoute: () => webhook,
  path: '/',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('./screens/webhooks/deliveries/deliveries.tsx'), 'Deliveries'),
});

const delivery = createRoute({
  getParentRoute: () => webhook,
  path: 'deliveries/$delivery',
  component: lazyRouteComponent(() => import('./screens/webhooks/deliveries/delivery.tsx'), 'DeliveryScreen'),
});

const settings = createRoute({
  getParentRoute: () => webhook,
  path: 'settings',
  component: lazyRouteComponent(() => import('./screens/webhooks/settings/settings.tsx'), 'Settings'),
});

const verify = createRoute({
  getParentRoute: () => webhook,
  path: 'verify',
  component: lazyRouteComponent(() => import('./screens/webhooks/settings/verify.tsx'), 'Verify'),
});

const connections = createRoute({ getParentRoute: () => company, path: 'connections' });

const connectionParts = [
  createRoute({
    getParentRoute: () => connections,
    path: '/',
    validateSearch: readConnectionFilters,
    component: lazyRouteComponent(() => import('./screens/connections/connections.tsx'), 'Connections'),
  }),
  createRoute({
    getParentRoute: () => connections,
    path: '$connection',
    component: lazyRouteComponent(() => import('./screens/connections/connection.tsx'), 'ConnectionScreen'),
  }),
] as const;

const app = createRoute({
  getParentRoute: () => company,
  path: 'apps/$app',
  component: lazyRouteComponent(() => import('./screens/apps/app.tsx'), 'AppScreen'),
});

const appParts = [
  createRoute({
    getParentRoute: () => app,
    path: '/',
    component: lazyRouteComponent(() => import('./screens/apps/settings.tsx'), 'AppSettings'),
  }),
  createRoute({
    getParentRoute: () => app,
    path: 'try',
    component: lazyRouteComponent(() => import('./screens/apps/try.tsx'), 'TryApp'),
  }),
] as const;

const directoryParts = [
  createRoute({
    getParentRoute: () => company,
    path: 'directories',
    component: lazyRouteComponent(() => import('./screens/directories/directories.tsx'), 'Directories'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'directories/new',
    component: lazyRouteComponent(() => import('./screens/directories/new-directory.tsx'), 'NewDirectory'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'directories/$directory',
    component: lazyRouteComponent(() => import('./screens/directories/directory.tsx'), 'DirectoryScreen'),
  }),
] as const;

const signInParts = [
  createRoute({
    getParentRoute: () => company,
    path: 'sign-in',
    component: lazyRouteComponent(() => import('./screens/company-sign-in/connections.tsx'), 'SignInConnections'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'sign-in/new',
    component: lazyRouteComponent(() => import('./screens/company-sign-in/new-connection.tsx'), 'NewSignInConnection'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'sign-in/$connection',
    component: lazyRouteComponent(() => import('./screens/company-sign-in/connection.tsx'), 'SignInConnectionScreen'),
  }),
] as const;

const fieldParts = [
  createRoute({
    getParentRoute: () => company,
    path: 'fields',
    component: lazyRouteComponent(() => import('./screens/fields/fields.tsx'), 'Fields'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'fields/new-field', // can't clash: field keys have no hyphens
    component: lazyRouteComponent(() => import('./screens/fields/new-field.tsx'), 'NewField'),
  }),
  createRoute({
    getParentRoute: () => company,
    path: 'fields/$field',
    component: lazyRouteComponent(() => import('./screens/fields/field.tsx'), 'FieldScreen'),
  }),
] as const;

export const routes = root.addChildren([
  entry,
  company.addChildren([
    ...single,
    people.addChildren([peopleList, orgChart, deletedPeople, newPerson, person.addChildren(personParts)]),
    ...importParts,
    ...exportParts,
    webhook.addChildren([deliveries, delivery, settings, verify]),
    connections.addChildren(connectionParts),
    app.addChildren(appParts),
    ...directoryParts,
    ...signInParts,
    ...fieldParts,
  ]),
]);

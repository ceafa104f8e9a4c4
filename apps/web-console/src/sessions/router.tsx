import { createRoute, createRouter } from '@tanstack/react-router'
import { ApplicationsPage } from '../console/applications/applications-page.tsx'
import { commonPages, root, routerSettings, shellWith, signInPages } from '../console/frame/console-routes.tsx'
import { certificateFiltersFrom } from './certificates/certificate-filters.ts'
import { CertificatesPage } from './certificates/certificates-page.tsx'
import { usePageLinks } from './frame/page-links.ts'
import { historyFiltersFrom } from './history/history-filters.ts'
import { HistoryPage } from './history/history-page.tsx'
import { LockoutsPage } from './lockouts/lockouts-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { sessionFiltersFrom } from './sessions/session-filters.ts'
import { SessionsPage } from './sessions/sessions-page.tsx'
import { signatureFiltersFrom } from './signatures/signature-filters.ts'
import { SignaturesPage } from './signatures/signatures-page.tsx'
import { eventKinds } from './texts/event-kinds.ts'
import { WorkstationsPage } from './workstations/workstations-page.tsx'

const shell = shellWith(usePageLinks)

const ofShell = () => shell

/** Pages of signed-in administrators; filters are in the URL. */
const inside = [
  createRoute({ getParentRoute: ofShell, path: '/', component: OverviewPage }),
  createRoute({ getParentRoute: ofShell, path: '/applications', component: ApplicationsPage }),
  createRoute({
    getParentRoute: ofShell,
    path: '/certificates',
    component: CertificatesPage,
    validateSearch: certificateFiltersFrom,
  }),
  createRoute({ getParentRoute: ofShell, path: '/workstations', component: WorkstationsPage }),
  createRoute({
    getParentRoute: ofShell,
    path: '/sessions',
    component: SessionsPage,
    validateSearch: sessionFiltersFrom,
  }),
  createRoute({
    getParentRoute: ofShell,
    path: '/history',
    component: HistoryPage,
    validateSearch: historyFiltersFrom,
  }),
  createRoute({
    getParentRoute: ofShell,
    path: '/signatures',
    component: SignaturesPage,
    validateSearch: signatureFiltersFrom,
  }),
  createRoute({ getParentRoute: ofShell, path: '/lockouts', component: LockoutsPage }),
  ...commonPages(ofShell, eventKinds),
] as const

/** Every page of the bundle; the service answers the same document for all of them. */
export const router = createRouter({
  routeTree: root.addChildren([shell.addChildren(inside), ...signInPages]),
  ...routerSettings,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

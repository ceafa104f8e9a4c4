import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { AccountPage } from '../console/administrators/account-page.tsx'
import { AdministratorsPage } from '../console/administrators/administrators-page.tsx'
import { ApplicationsPage } from '../console/applications/applications-page.tsx'
import { eventFiltersOf } from '../console/events/event-filters.ts'
import { EventsPage } from '../console/events/events-page.tsx'
import { Shell } from '../console/frame/shell.tsx'
import { LoginPage } from '../console/login/login-page.tsx'
import { SecondFactorPage } from '../console/login/second-factor-page.tsx'
import { loginSearchFrom } from '../shared/frame/login-search.ts'
import { NotFoundPage } from '../shared/frame/not-found-page.tsx'
import { parseSearch, stringifySearch } from '../shared/search-text.ts'
import { certificateFiltersFrom } from './certificates/certificate-filters.ts'
import { CertificatesPage } from './certificates/certificates-page.tsx'
import { usePageLinks } from './frame/page-links.ts'
import { LockoutsPage } from './lockouts/lockouts-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { sessionFiltersFrom } from './sessions/session-filters.ts'
import { SessionsPage } from './sessions/sessions-page.tsx'
import { signatureFiltersFrom } from './signatures/signature-filters.ts'
import { SignaturesPage } from './signatures/signatures-page.tsx'
import { eventKinds } from './texts/event-kinds.ts'
import { WorkstationsPage } from './workstations/workstations-page.tsx'

const root = createRootRoute({ notFoundComponent: NotFoundPage })

const ofRoot = () => root

const shell = createRoute({ getParentRoute: ofRoot, id: 'shell', component: () => <Shell links={usePageLinks()} /> })

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
    path: '/signatures',
    component: SignaturesPage,
    validateSearch: signatureFiltersFrom,
  }),
  createRoute({ getParentRoute: ofShell, path: '/lockouts', component: LockoutsPage }),
  createRoute({ getParentRoute: ofShell, path: '/administrators', component: AdministratorsPage }),
  createRoute({
    getParentRoute: ofShell,
    path: '/events',
    component: () => <EventsPage kinds={eventKinds} />,
    validateSearch: eventFiltersOf(eventKinds),
  }),
  createRoute({ getParentRoute: ofShell, path: '/account', component: AccountPage }),
] as const

/** The pages of the sign-in. */
const outside = [
  createRoute({ getParentRoute: ofRoot, path: '/login', component: LoginPage, validateSearch: loginSearchFrom }),
  createRoute({ getParentRoute: ofRoot, path: '/second-factor', component: SecondFactorPage }),
] as const

/** Every page of the bundle; the service answers the same document for all of them. */
export const router = createRouter({
  routeTree: root.addChildren([shell.addChildren(inside), ...outside]),
  parseSearch,
  stringifySearch,
  defaultPreload: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

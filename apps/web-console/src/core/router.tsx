import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { AccountPage } from '../console/administrators/account-page.tsx'
import { AdministratorsPage } from '../console/administrators/administrators-page.tsx'
import { eventFiltersOf } from '../console/events/event-filters.ts'
import { EventsPage } from '../console/events/events-page.tsx'
import { Shell } from '../console/frame/shell.tsx'
import { LoginPage } from '../console/login/login-page.tsx'
import { SecondFactorPage } from '../console/login/second-factor-page.tsx'
import { loginSearchFrom } from '../shared/frame/login-search.ts'
import { NotFoundPage } from '../shared/frame/not-found-page.tsx'
import { parseSearch, stringifySearch } from '../shared/search-text.ts'
import { authenticationFiltersFrom, problemFiltersFrom } from './activity/activity-filters.ts'
import { AuthenticationsPage } from './activity/authentications-page.tsx'
import { ProblemsPage } from './activity/problems-page.tsx'
import { ApplicationPage } from './applications/application-page.tsx'
import { ApplicationsPage } from './applications/applications-page.tsx'
import { ContextsPage } from './contexts/contexts-page.tsx'
import { usePageLinks } from './frame/page-links.ts'
import { OverviewPage } from './overview/overview-page.tsx'
import { listFiltersFrom } from './parts/list-filters.ts'
import { SubscriptionsPage } from './subscriptions/subscriptions-page.tsx'
import { eventKinds } from './texts/event-kinds.ts'

const root = createRootRoute({ notFoundComponent: NotFoundPage })

const ofRoot = () => root

const shell = createRoute({
  getParentRoute: ofRoot,
  id: 'shell',
  component: () => <Shell links={usePageLinks()} />,
})

const ofShell = () => shell

/** Pages of signed-in administrators; filters are in the URL. What is administered besides adds its pages here. */
const inside = [
  createRoute({ getParentRoute: ofShell, path: '/', component: OverviewPage }),
  createRoute({
    getParentRoute: ofShell,
    path: '/subscriptions',
    component: SubscriptionsPage,
    validateSearch: listFiltersFrom,
  }),
  createRoute({
    getParentRoute: ofShell,
    path: '/applications',
    component: ApplicationsPage,
    validateSearch: listFiltersFrom,
  }),
  createRoute({ getParentRoute: ofShell, path: '/applications/$id', component: ApplicationPage }),
  createRoute({
    getParentRoute: ofShell,
    path: '/security-contexts',
    component: ContextsPage,
    validateSearch: listFiltersFrom,
  }),
  createRoute({
    getParentRoute: ofShell,
    path: '/authentications',
    component: AuthenticationsPage,
    validateSearch: authenticationFiltersFrom,
  }),
  createRoute({
    getParentRoute: ofShell,
    path: '/problems',
    component: ProblemsPage,
    validateSearch: problemFiltersFrom,
  }),
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

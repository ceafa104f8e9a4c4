import { createRoute, createRouter } from '@tanstack/react-router'
import { commonPages, root, routerSettings, shellWith, signInPages } from '../console/frame/console-routes.tsx'
import { authenticationFiltersFrom, problemFiltersFrom } from './activity/activity-filters.ts'
import { AuthenticationsPage } from './activity/authentications-page.tsx'
import { ProblemsPage } from './activity/problems-page.tsx'
import { ApplicationPage } from './applications/application-page.tsx'
import { ApplicationsPage } from './applications/applications-page.tsx'
import { ContextsPage } from './contexts/contexts-page.tsx'
import { usePageLinks } from './frame/page-links.ts'
import { OverviewPage } from './overview/overview-page.tsx'
import { listFiltersFrom } from './parts/list-filters.ts'
import { sessionFiltersFrom } from './sessions/session-filters.ts'
import { SessionPage } from './sessions/session-page.tsx'
import { SessionsPage } from './sessions/sessions-page.tsx'
import { subjectFiltersFrom } from './subjects/subject-filters.ts'
import { SubjectsPage } from './subjects/subjects-page.tsx'
import { SubscriptionsPage } from './subscriptions/subscriptions-page.tsx'
import { eventKinds } from './texts/event-kinds.ts'

const shell = shellWith(usePageLinks)

const ofShell = () => shell

/** Pages of signed-in administrators; filters are in the URL. */
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
    path: '/signature-sessions',
    component: SessionsPage,
    validateSearch: sessionFiltersFrom,
  }),
  createRoute({ getParentRoute: ofShell, path: '/signature-sessions/$id', component: SessionPage }),
  createRoute({
    getParentRoute: ofShell,
    path: '/bio-subjects',
    component: SubjectsPage,
    validateSearch: subjectFiltersFrom,
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

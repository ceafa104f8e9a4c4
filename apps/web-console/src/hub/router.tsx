import { createRoute, createRouter } from '@tanstack/react-router'
import { ApplicationsPage } from '../console/applications/applications-page.tsx'
import { commonPages, root, routerSettings, shellWith, signInPages } from '../console/frame/console-routes.tsx'
import { keyExtras } from './applications/key-extras.tsx'
import { usePageLinks } from './frame/page-links.ts'
import { OverviewPage } from './overview/overview-page.tsx'
import { NewProviderPage } from './providers/new-provider-page.tsx'
import { ProviderPage } from './providers/provider-page.tsx'
import { ProvidersPage } from './providers/providers-page.tsx'
import { sessionFiltersFrom } from './sessions/session-filters.ts'
import { SessionsPage } from './sessions/sessions-page.tsx'
import { eventKinds } from './texts/event-kinds.ts'
import { filtersOfUses } from './uses/use-filters.ts'
import { UsesPage } from './uses/uses-page.tsx'

const shell = shellWith(usePageLinks)

const ofShell = () => shell

/** Pages of signed-in administrators; filters are in the URL. */
const inside = [
  createRoute({ getParentRoute: ofShell, path: '/', component: OverviewPage }),
  createRoute({ getParentRoute: ofShell, path: '/providers', component: ProvidersPage }),
  createRoute({ getParentRoute: ofShell, path: '/providers/new', component: NewProviderPage }),
  createRoute({ getParentRoute: ofShell, path: '/providers/$id', component: ProviderPage }),
  createRoute({
    getParentRoute: ofShell,
    path: '/applications',
    component: () => <ApplicationsPage extras={keyExtras} />,
  }),
  createRoute({
    getParentRoute: ofShell,
    path: '/sessions',
    component: SessionsPage,
    validateSearch: sessionFiltersFrom,
  }),
  createRoute({ getParentRoute: ofShell, path: '/uses', component: UsesPage, validateSearch: filtersOfUses }),
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

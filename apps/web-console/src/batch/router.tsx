import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router'
import { NotFoundPage } from '../shared/frame/not-found-page.tsx'
import { parseSearch, stringifySearch } from '../shared/search-text.ts'
import { eventFiltersFromSearch } from './events/event-filters.ts'
import { EventsPage } from './events/events-page.tsx'
import { FoldersPage } from './folders/folders-page.tsx'
import { Shell } from './frame/shell.tsx'
import { useCulture } from './frame/use-culture.ts'
import { JobPage } from './job/job-page.tsx'
import { filtersFromSearch } from './jobs/job-filters.ts'
import { JobsPage } from './jobs/jobs-page.tsx'
import { AccessDeniedPage } from './login/access-denied-page.tsx'
import { LoginPage } from './login/login-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { FilePage } from './portal/file/file-page.tsx'
import { LinkRequiredPage } from './portal/frame/link-required-page.tsx'
import { ApprovalsPage } from './portal/lists/approvals-page.tsx'
import { listFromSearch } from './portal/lists/list-search.ts'
import { SessionsPage } from './portal/sessions/sessions-page.tsx'
import { NewProfilePage, ProfilePage } from './profiles/profile-page.tsx'
import { ProfilesPage } from './profiles/profiles-page.tsx'
import { StatisticsPage } from './statistics/statistics-page.tsx'
import { rangeFromSearch } from './statistics/statistics-range.ts'
import { SystemPage } from './system/system-page.tsx'

function Root() {
  useCulture()
  return <Outlet />
}

const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: LoginPage,
  validateSearch: (search: Record<string, unknown>): { error?: string; ReturnUrl?: string } => ({
    ...(typeof search.error === 'string' && { error: search.error }),
    ...(typeof search.ReturnUrl === 'string' && { ReturnUrl: search.ReturnUrl }),
  }),
})

const accessDenied = createRoute({ getParentRoute: () => root, path: '/access-denied', component: AccessDeniedPage })

/** The pages of approvers, whose session opens no route of operators: they stand outside the frame of the dashboard. */
const portal = [
  createRoute({
    getParentRoute: () => root,
    path: '/approvals',
    component: ApprovalsPage,
    validateSearch: listFromSearch,
  }),
  createRoute({ getParentRoute: () => root, path: '/approvals/link-required', component: LinkRequiredPage }),
  createRoute({ getParentRoute: () => root, path: '/approvals/sessions', component: SessionsPage }),
  createRoute({ getParentRoute: () => root, path: '/approve/$id', component: FilePage }),
] as const

const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell })

const getParentRoute = () => shell

const pages = [
  createRoute({ getParentRoute, path: '/', component: OverviewPage }),
  createRoute({ getParentRoute, path: '/jobs', component: JobsPage, validateSearch: filtersFromSearch }),
  createRoute({ getParentRoute, path: '/jobs/$id', component: JobPage }),
  createRoute({ getParentRoute, path: '/folders', component: FoldersPage }),
  createRoute({ getParentRoute, path: '/profiles', component: ProfilesPage }),
  createRoute({ getParentRoute, path: '/profiles/new', component: NewProfilePage }),
  createRoute({ getParentRoute, path: '/profiles/$name', component: ProfilePage }),
  createRoute({ getParentRoute, path: '/events', component: EventsPage, validateSearch: eventFiltersFromSearch }),
  createRoute({ getParentRoute, path: '/statistics', component: StatisticsPage, validateSearch: rangeFromSearch }),
  createRoute({ getParentRoute, path: '/system', component: SystemPage }),
] as const

/** Every page of the dashboard and of the approver portal; the service answers the same document for all of them. */
export const router = createRouter({
  routeTree: root.addChildren([login, accessDenied, ...portal, shell.addChildren(pages)]),
  parseSearch,
  stringifySearch,
  defaultPreload: false,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

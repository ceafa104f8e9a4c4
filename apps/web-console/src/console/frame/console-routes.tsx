// Routes that every console has; a bundle adds its own pages inside the frame.
import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router'
import type { PageLink } from '../../shared/frame/frame.tsx'
import { loginSearchFrom } from '../../shared/frame/login-search.ts'
import { NotFoundPage } from '../../shared/frame/not-found-page.tsx'
import { parseSearch, stringifySearch } from '../../shared/search-text.ts'
import { AccountPage } from '../administrators/account-page.tsx'
import { AdministratorsPage } from '../administrators/administrators-page.tsx'
import { type EventKinds, eventFiltersOf } from '../events/event-filters.ts'
import { EventsPage } from '../events/events-page.tsx'
import { LoginPage } from '../login/login-page.tsx'
import { SecondFactorPage } from '../login/second-factor-page.tsx'
import { ProofGate } from './proof-gate.tsx'
import { Shell } from './shell.tsx'

export const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <ProofGate />
    </>
  ),
  notFoundComponent: NotFoundPage,
})

const ofRoot = () => root

/** The frame around the pages of signed-in administrators. */
export const shellWith = (useLinks: () => readonly PageLink[]) =>
  createRoute({ getParentRoute: ofRoot, id: 'shell', component: () => <Shell links={useLinks()} /> })

/** The pages inside the frame that are the same everywhere. */
export const commonPages = (ofShell: () => ReturnType<typeof shellWith>, kinds: EventKinds) =>
  [
    createRoute({ getParentRoute: ofShell, path: '/administrators', component: AdministratorsPage }),
    createRoute({
      getParentRoute: ofShell,
      path: '/events',
      component: () => <EventsPage kinds={kinds} />,
      validateSearch: eventFiltersOf(kinds),
    }),
    createRoute({ getParentRoute: ofShell, path: '/account', component: AccountPage }),
  ] as const

/** The pages of the sign-in. */
export const signInPages = [
  createRoute({ getParentRoute: ofRoot, path: '/login', component: LoginPage, validateSearch: loginSearchFrom }),
  createRoute({ getParentRoute: ofRoot, path: '/second-factor', component: SecondFactorPage }),
] as const

/** How every router reads and writes addresses. */
export const routerSettings = { parseSearch, stringifySearch, defaultPreload: false } as const

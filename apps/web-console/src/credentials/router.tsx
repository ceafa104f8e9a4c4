import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { loginSearchFrom } from '../shared/frame/login-search.ts'
import { NotFoundPage } from '../shared/frame/not-found-page.tsx'
import { parseSearch, stringifySearch } from '../shared/search-text.ts'
import { AccountPage } from './account/account-page.tsx'
import { BatchPage } from './batches/batch-page.tsx'
import { BatchesPage } from './batches/batches-page.tsx'
import { NewBatchPage } from './batches/new-batch-page.tsx'
import { EventsPage } from './events/events-page.tsx'
import { ProofGate } from './frame/proof-gate.tsx'
import { Shell } from './frame/shell.tsx'
import { InstitutePage } from './institutes/institute-page.tsx'
import { InstitutesPage } from './institutes/institutes-page.tsx'
import { NewInstitutePage } from './institutes/new-institute-page.tsx'
import { CurriculumPage, DegreePage, EmissionPage, RegistrationPage, TranscriptPage } from './items/item-page.tsx'
import { CurriculumsPage, DegreesPage, EmissionsPage, RegistrationsPage, TranscriptsPage } from './items/items-page.tsx'
import { NewCurriculumPage, NewDegreePage, NewEmissionPage, NewTranscriptPage } from './items/new-item-page.tsx'
import { InvitationPage } from './login/invitation-page.tsx'
import { LoginPage } from './login/login-page.tsx'
import { SecondFactorPage } from './login/second-factor-page.tsx'
import { OrganizationPage } from './organization/organization-page.tsx'
import { PartnershipsPage } from './partnerships/partnerships-page.tsx'
import { listSearchFrom } from './parts/list-search.ts'
import { RestampsPage } from './restamps/restamps-page.tsx'
import {
  CoursePage,
  CoursesPage,
  FlowPage,
  FlowsPage,
  NewCoursePage,
  NewFlowPage,
  NewTemplatePage,
  TemplatePage,
  TemplatesPage,
} from './setup/setup-pages.tsx'
import { SignaturesPage, signaturesSearchFrom } from './signatures/signatures-page.tsx'

const root = createRootRoute({
  component: () => (
    <>
      <Outlet />
      <ProofGate />
    </>
  ),
  notFoundComponent: NotFoundPage,
})

const ofRoot = () => root

const shell = createRoute({ getParentRoute: ofRoot, id: 'shell', component: Shell })

const ofShell = () => shell

/** Every list is narrowed by its URL. */
const validateSearch = listSearchFrom

/** A new document may begin with what another says. */
const madeFrom = ({ from }: Record<string, unknown>): { from?: string } => (typeof from === 'string' ? { from } : {})

/** Pages of people who are signed in. */
const inside = [
  createRoute({
    getParentRoute: ofShell,
    path: '/signatures',
    component: SignaturesPage,
    validateSearch: signaturesSearchFrom,
  }),
  createRoute({ getParentRoute: ofShell, path: '/degrees', component: DegreesPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/degrees/new', component: NewDegreePage }),
  createRoute({ getParentRoute: ofShell, path: '/degrees/$id', component: DegreePage }),
  createRoute({ getParentRoute: ofShell, path: '/emissions', component: EmissionsPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/emissions/new', component: NewEmissionPage }),
  createRoute({ getParentRoute: ofShell, path: '/emissions/$id', component: EmissionPage }),
  createRoute({ getParentRoute: ofShell, path: '/registrations', component: RegistrationsPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/registrations/$id', component: RegistrationPage }),
  createRoute({ getParentRoute: ofShell, path: '/academic-transcripts', component: TranscriptsPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/academic-transcripts/new', component: NewTranscriptPage }),
  createRoute({ getParentRoute: ofShell, path: '/academic-transcripts/$id', component: TranscriptPage }),
  createRoute({ getParentRoute: ofShell, path: '/curriculums', component: CurriculumsPage, validateSearch }),
  createRoute({
    getParentRoute: ofShell,
    path: '/curriculums/new',
    component: NewCurriculumPage,
    validateSearch: madeFrom,
  }),
  createRoute({ getParentRoute: ofShell, path: '/curriculums/$id', component: CurriculumPage }),
  createRoute({ getParentRoute: ofShell, path: '/batches', component: BatchesPage }),
  createRoute({ getParentRoute: ofShell, path: '/batches/new', component: NewBatchPage }),
  createRoute({ getParentRoute: ofShell, path: '/batches/$resource/$id', component: BatchPage }),
  createRoute({ getParentRoute: ofShell, path: '/restamps', component: RestampsPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/institutes', component: InstitutesPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/institutes/new', component: NewInstitutePage }),
  createRoute({ getParentRoute: ofShell, path: '/institutes/$id', component: InstitutePage }),
  createRoute({ getParentRoute: ofShell, path: '/partnerships', component: PartnershipsPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/courses', component: CoursesPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/courses/new', component: NewCoursePage }),
  createRoute({ getParentRoute: ofShell, path: '/courses/$id', component: CoursePage }),
  createRoute({ getParentRoute: ofShell, path: '/flows', component: FlowsPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/flows/new', component: NewFlowPage }),
  createRoute({ getParentRoute: ofShell, path: '/flows/$id', component: FlowPage }),
  createRoute({ getParentRoute: ofShell, path: '/templates', component: TemplatesPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/templates/new', component: NewTemplatePage }),
  createRoute({ getParentRoute: ofShell, path: '/templates/$id', component: TemplatePage }),
  createRoute({ getParentRoute: ofShell, path: '/organization', component: OrganizationPage }),
  createRoute({ getParentRoute: ofShell, path: '/events', component: EventsPage, validateSearch }),
  createRoute({ getParentRoute: ofShell, path: '/account', component: AccountPage }),
] as const

/** Pages for anybody with the address. */
const outside = [
  createRoute({
    getParentRoute: ofRoot,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/institutes' })
    },
  }),
  createRoute({ getParentRoute: ofRoot, path: '/login', component: LoginPage, validateSearch: loginSearchFrom }),
  createRoute({
    getParentRoute: ofRoot,
    path: '/invitation',
    component: InvitationPage,
    validateSearch: ({ ticket }: Record<string, unknown>): { ticket?: string } =>
      typeof ticket === 'string' ? { ticket } : {},
  }),
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

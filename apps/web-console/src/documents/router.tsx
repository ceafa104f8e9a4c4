import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { loginSearchFrom } from '../shared/frame/login-search.ts'
import { NotFoundPage } from '../shared/frame/not-found-page.tsx'
import { parseSearch, stringifySearch } from '../shared/search-text.ts'
import { AccountPage } from './account/account-page.tsx'
import { TestComputerPage } from './computer/test-computer-page.tsx'
import { DocumentPage } from './document/document-page.tsx'
import { ProofGate } from './frame/proof-gate.tsx'
import { Shell } from './frame/shell.tsx'
import { InvitationPage } from './invitation/invitation-page.tsx'
import { filtersFromSearch } from './list/document-filters.ts'
import { DocumentsPage } from './list/documents-page.tsx'
import { LoginPage } from './login/login-page.tsx'
import { MarksPage } from './marks/marks-page.tsx'
import { NewDocumentPage } from './new/new-document-page.tsx'
import { OrganizationPage } from './organization/organization-page.tsx'
import { optionsFromSearch } from './participant/page-options.ts'
import { ElsewherePage, EmbeddedPage, ParticipantPage } from './participant/participant-page.tsx'
import { ForgotPasswordPage } from './password/forgot-password-page.tsx'
import { ResetPasswordPage } from './password/reset-password-page.tsx'
import { ValidatePage, ValidationPage } from './validate/validate-page.tsx'
import { WebhookPage } from './webhooks/webhook-page.tsx'
import { WebhooksPage } from './webhooks/webhooks-page.tsx'

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

const text = (search: Record<string, unknown>, name: string): string | undefined =>
  typeof search[name] === 'string' && search[name] !== '' ? search[name] : undefined

const ticketOf = (search: Record<string, unknown>): { ticket?: string } => {
  const ticket = text(search, 'ticket')
  return ticket ? { ticket } : {}
}

/** Pages of users who are signed in. */
const inside = [
  createRoute({
    getParentRoute: ofShell,
    path: '/documents',
    component: DocumentsPage,
    validateSearch: filtersFromSearch,
  }),
  createRoute({
    getParentRoute: ofShell,
    path: '/documents/new',
    component: NewDocumentPage,
    validateSearch: (search: Record<string, unknown>): { folder?: string } => {
      const folder = text(search, 'folder')
      return folder ? { folder } : {}
    },
  }),
  createRoute({ getParentRoute: ofShell, path: '/documents/$id', component: DocumentPage }),
  createRoute({ getParentRoute: ofShell, path: '/webhooks', component: WebhooksPage }),
  createRoute({ getParentRoute: ofShell, path: '/webhooks/$id', component: WebhookPage }),
  createRoute({ getParentRoute: ofShell, path: '/organization', component: OrganizationPage }),
  createRoute({ getParentRoute: ofShell, path: '/account', component: AccountPage }),
] as const

/** Public pages, for anybody with the address. */
const outside = [
  createRoute({
    getParentRoute: ofRoot,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/documents' })
    },
  }),
  createRoute({
    getParentRoute: ofRoot,
    path: '/login',
    component: LoginPage,
    validateSearch: loginSearchFrom,
  }),
  createRoute({
    getParentRoute: ofRoot,
    path: '/invitation',
    component: InvitationPage,
    validateSearch: ticketOf,
  }),
  createRoute({ getParentRoute: ofRoot, path: '/forgot-password', component: ForgotPasswordPage }),
  createRoute({
    getParentRoute: ofRoot,
    path: '/reset-password',
    component: ResetPasswordPage,
    validateSearch: ticketOf,
  }),
  createRoute({
    getParentRoute: ofRoot,
    path: '/document/key/$key/sign',
    component: ParticipantPage,
    validateSearch: optionsFromSearch,
  }),
  createRoute({
    getParentRoute: ofRoot,
    path: '/document/key/$key/sign-embedded',
    component: EmbeddedPage,
    validateSearch: optionsFromSearch,
  }),
  createRoute({ getParentRoute: ofRoot, path: '/cloud-elsewhere', component: ElsewherePage }),
  createRoute({ getParentRoute: ofRoot, path: '/test-my-computer', component: TestComputerPage }),
  createRoute({ getParentRoute: ofRoot, path: '/validate', component: ValidatePage }),
  createRoute({ getParentRoute: ofRoot, path: '/validate/$key', component: ValidationPage }),
  createRoute({ getParentRoute: ofRoot, path: '/position-marks/$sessionId', component: MarksPage }),
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

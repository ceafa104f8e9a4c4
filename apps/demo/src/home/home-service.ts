import { fileURLToPath } from 'node:url'
import { type StatelessSettings, statelessSettings } from '@chancela/service-kernel/config'
import { problemDetails, route, serve } from '@chancela/service-kernel/http'
import {
  createSurfaceApp,
  type StatelessService,
  type SurfaceDefinition,
  serveBundle,
  serveOperations,
} from '@chancela/service-kernel/service'
import type { Static } from 'typebox'
import { serveMailbox } from '../mail/mail-routes.ts'
import { mailboxSettings, openMailbox } from '../mail/mailbox.ts'
import { demoErrors, demoFrameworkErrors } from '../problems.ts'
import { serveReturn } from '../return/return-page.ts'
import { serveWalks } from '../walk/walk-routes.ts'
import { Walks } from '../walk/walks.ts'
import { SuiteView } from './contract.ts'
import type { SuiteBoard } from './suite-board.ts'

const suite = route({
  method: 'GET',
  path: '/api/suite',
  summary: 'Every service of the suite with its state, links, demo keys and curl lines.',
  access: 'anonymous',
  answer: SuiteView,
})

// src and dist are at the same depth, so one relative path serves both.
const bundle = fileURLToPath(new URL('../../pages/home', import.meta.url))

const surface: SurfaceDefinition = {
  name: 'home',
  title: { 'pt-BR': 'Página inicial', 'en-US': 'Home page' },
  summary: {
    'pt-BR': 'Esta página, a caixa de entrada da demonstração e o passeio por uma assinatura.',
    'en-US': 'This page, the inbox of the demo and the walk through a signature.',
  },
  section: 'Http',
  healthPath: '/api/health',
  readyPath: '/api/ready',
}

type HomeSettings = StatelessSettings & { readonly Mailbox: Static<typeof mailboxSettings> }

/** The home page of the demo: what runs, with links and keys, the mails it sends, and the walk through a signature. */
export const homeService = (board: SuiteBoard): StatelessService => ({
  name: 'home',
  title: 'Home page',
  summary: 'What runs, with links and keys, the inbox of the demo, and a walk through a signature.',
  settings: statelessSettings({ Environment: 'development', Http: { Port: 8090 } }, { Mailbox: mailboxSettings }),
  surfaces: [surface],
  async build(context) {
    const settings = context.settings as HomeSettings
    const app = await createSurfaceApp(context, {
      surface,
      dialect: problemDetails,
      vocabulary: demoErrors,
      frameworkErrors: demoFrameworkErrors,
    })
    serve(app, suite, ({ now }) => board.view(now))
    const mailbox = await openMailbox(context, settings.Mailbox)
    serveMailbox(app, mailbox)
    serveWalks(app, new Walks(board, mailbox))
    serveReturn(app, board)
    serveOperations(app, context, { health: '/api/health', ready: '/api/ready' }, settings.Metrics)
    serveBundle(app, bundle, { pages: ['/walk'] })
    return { surfaces: { home: app } }
  },
})

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
import { SuiteView } from './contract.ts'
import type { SuiteBoard } from './suite-board.ts'

const suite = route({
  method: 'GET',
  path: '/api/suite',
  summary: 'Every service of the suite with its state, links, demo keys and curl lines.',
  access: 'anonymous',
  answer: SuiteView,
})

// Depth is the same under src and dist, so that one relative address serves both.
const bundle = fileURLToPath(new URL('../../../web-console/dist/home', import.meta.url))

const surface: SurfaceDefinition = {
  name: 'home',
  title: 'Home page',
  section: 'Http',
  healthPath: '/api/health',
  readyPath: '/api/ready',
}

type HomeSettings = StatelessSettings & { readonly Mailbox: Static<typeof mailboxSettings> }

/** The home page of the demo: links, keys, a guided tour of what runs, and the mails it sends. */
export const homeService = (board: SuiteBoard): StatelessService => ({
  name: 'home',
  title: 'Home page',
  summary: 'Links, keys and a guided tour of the running suite.',
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
    serveMailbox(app, await openMailbox(context, settings.Mailbox))
    serveReturn(app, board)
    serveOperations(app, context, { health: '/api/health', ready: '/api/ready' }, settings.Metrics)
    serveBundle(app, bundle)
    return { surfaces: { home: app } }
  },
})

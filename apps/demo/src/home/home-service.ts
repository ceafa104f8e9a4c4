import { fileURLToPath } from 'node:url'
import { type KernelSettings, statelessSettings } from '@chancela/service-kernel/config'
import { problemDetails, route, serve } from '@chancela/service-kernel/http'
import {
  createSurfaceApp,
  type StatelessService,
  type SurfaceDefinition,
  serveBundle,
  serveOperations,
} from '@chancela/service-kernel/service'
import { demoErrors, demoFrameworkErrors } from '../problems.ts'
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

/** The home page of the demo: links, keys and a guided tour of what runs. */
export const homeService = (board: SuiteBoard): StatelessService => ({
  name: 'home',
  title: 'Home page',
  summary: 'Links, keys and a guided tour of the running suite.',
  settings: statelessSettings({ Environment: 'development', Http: { Port: 8090 } }, {}),
  surfaces: [surface],
  async build(context) {
    const settings = context.settings as Omit<KernelSettings, 'Database' | 'Secrets'>
    const app = await createSurfaceApp(context, {
      surface,
      dialect: problemDetails,
      vocabulary: demoErrors,
      frameworkErrors: demoFrameworkErrors,
    })
    serve(app, suite, ({ now }) => board.view(now))
    serveOperations(app, context, { health: '/api/health', ready: '/api/ready' }, settings.Metrics)
    serveBundle(app, bundle)
    return { surfaces: { home: app } }
  },
})

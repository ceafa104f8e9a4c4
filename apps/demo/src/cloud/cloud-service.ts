import { type StatelessSettings, statelessSettings } from '@chancela/service-kernel/config'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { problemDetails } from '@chancela/service-kernel/http'
import {
  createSurfaceApp,
  type StatelessService,
  type SurfaceDefinition,
  serveOperations,
} from '@chancela/service-kernel/service'
import { type CloudProvider, createCloudProvider } from '@chancela/testkit/cloud-provider'
import type { DemoPki } from '@chancela/testkit/demo-pki'
import { answerAtConnection } from '../answer-at-connection.ts'
import { demoErrors, demoFrameworkErrors } from '../problems.ts'

const paths = { health: '/api/health', ready: '/api/ready' }

const surface: SurfaceDefinition = {
  name: 'demo-cloud',
  title: { 'pt-BR': 'Provedor de nuvem de demonstração', 'en-US': 'Demo cloud provider' },
  summary: {
    'pt-BR':
      'Chaves dos titulares da demonstração em uma nuvem, pelos protocolos PSC e CSC, com manias e falhas a pedido.',
    'en-US': 'Keys of the demo holders in a cloud, over the protocols PSC and CSC, with quirks and faults on request.',
  },
  section: 'Http',
  healthPath: paths.health,
  readyPath: paths.ready,
}

/** Routes of the protocols, the pages and the fault switches. */
const protocols = {
  GET: ['/v0/*', '/csc/*', '/valid/*', '/holder/*', '/push', '/admin/*'],
  POST: ['/v0/*', '/csc/*', '/holder/*', '/push', '/admin/*'],
  PUT: ['/v0/*'],
} as const

/** What the cloud service takes from the demo, and what it reports back. */
interface CloudOptions {
  /** The PKI whose holders have accounts; undefined until it has started. */
  readonly pki: () => DemoPki | undefined
  readonly onOpened: (provider: CloudProvider) => void
}

/** The demo's provider of cloud certificates. It is stateless: authorizations end with the process. */
export const cloudService = ({ pki, onOpened }: CloudOptions): StatelessService => ({
  name: 'demo-cloud',
  title: 'Demo cloud provider',
  summary: 'Keys of the demo holders in a cloud, over the protocols PSC and CSC, with quirks and faults on request.',
  settings: statelessSettings({ Environment: 'development', Http: { Port: 8092 } }, {}),
  surfaces: [surface],
  async build(context) {
    const { Http, Metrics } = context.settings as StatelessSettings
    const provider = createCloudProvider({
      pki: required(pki()),
      clock: context.clock,
      // The provider's answers contain its address, so it must be known before the server listens.
      baseUrl: Http.PublicUrl ?? `http://localhost:${Http.Port}`,
      name: 'Nuvem Demo',
    })
    // For operators who turn on push in the hub: the holders' phones are at /push.
    provider.quirks.push = true
    onOpened(provider)
    const app = await createSurfaceApp(context, {
      surface,
      dialect: problemDetails,
      vocabulary: demoErrors,
      frameworkErrors: demoFrameworkErrors,
    })
    answerAtConnection(app, protocols, provider.handler)
    serveOperations(app, context, paths, Metrics)
    return { surfaces: { 'demo-cloud': app } }
  },
})

function required(pki: DemoPki | undefined): DemoPki {
  if (pki) return pki
  throw new StartupProblem('demo-cloud keeps the keys of demo-pki: start both, with --only demo-pki,demo-cloud.')
}

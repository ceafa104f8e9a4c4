import { join } from 'node:path'
import { serviceSettings } from '@chancela/service-kernel/config'
import { eventMigrations } from '@chancela/service-kernel/events'
import { healthMigrations } from '@chancela/service-kernel/health'
import { type ApiKeyTables, apiKeyMigrations, problemDetails } from '@chancela/service-kernel/http'
import { masterKeyMigrations } from '@chancela/service-kernel/secrets'
import {
  createSurfaceApp,
  defineService,
  openKeys,
  type ServiceContext,
  type StatefulService,
  type SurfaceDefinition,
  serveOperations,
} from '@chancela/service-kernel/service'
import { type DemoPki, Faults, openDemoPki, writeDemoFiles } from '@chancela/testkit/demo-pki'
import type { Static } from 'typebox'
import { demoErrors, demoFrameworkErrors } from '../problems.ts'
import { serveAdministration } from './administration.ts'
import { servePki } from './pki-routes.ts'

/** Files the PKI has written for people to use, with absolute paths. */
export type IssuedFiles = Awaited<ReturnType<typeof writeDemoFiles>>

/** The PKI once it has started, and its files. */
export interface OpenedPki {
  readonly pki: DemoPki
  readonly files: IssuedFiles
}

const paths = {
  health: '/api/health',
  ready: '/api/ready',
  readyDetails: '/api/ready/details',
  metrics: '/api/metrics',
}

const DESCRIPTION = `A certification authority to play with; trust nothing it signs.

Its protocols are not JSON and so not below: trust anchors at /roots.pem, issuers at /aia/, revocation lists at /crl/ and
/crl-mirror/, OCSP (RFC 6960) at /ocsp, time stamps (RFC 3161) at /tsa. Clients find them inside the certificates.`

const surface: SurfaceDefinition = {
  name: 'demo-pki',
  title: { 'pt-BR': 'PKI de demonstração', 'en-US': 'Demo PKI' },
  summary: {
    'pt-BR': 'AC, LCR, OCSP e carimbo do tempo no formato da ICP-Brasil, com falhas a pedido.',
    'en-US': 'CA, CRL, OCSP and TSA in the shape of ICP-Brasil, with faults on request.',
  },
  section: 'Http',
  healthPath: paths.health,
  readyPath: paths.ready,
  referencePath: '/reference',
  openApiPath: '/openapi/v1.json',
  apiKey: { header: 'X-Api-Key', form: 'secret' },
}

const pkiSettings = serviceSettings(
  {
    Environment: 'development',
    Http: { Port: 8087 },
    Database: { Url: 'sqlite:demo-pki/store.db' },
    Secrets: { MasterKeyFile: 'demo-pki/master.key' },
  },
  {},
)

type Context = ServiceContext<Static<typeof pkiSettings>, ApiKeyTables>

/** The demo's certification authority, revocation lists, OCSP responder and time-stamp authority. */
export const pkiService = (onOpened: (opened: OpenedPki) => void): StatefulService =>
  defineService<typeof pkiSettings, ApiKeyTables>({
    name: 'demo-pki',
    title: 'Demo PKI',
    summary: 'CA, CRL, OCSP and TSA in the shape of ICP-Brasil, with faults on request.',
    settings: pkiSettings,
    migrations: {
      'api-keys': apiKeyMigrations,
      events: eventMigrations,
      'master-keys': masterKeyMigrations,
      health: healthMigrations,
    },
    surfaces: [surface],
    async build(context) {
      const pki = await openPki(context)
      onOpened({ pki, files: await writeDemoFiles(pki, join(context.dataFolder, 'demo')) })
      const app = await createPkiApp(context)
      const faults = new Faults()
      servePki(app, pki, faults)
      serveAdministration(app, {
        pki,
        faults,
        events: context.events,
        store: context.store,
        folder: pkiFolder(context.dataFolder),
      })
      serveOperations(app, context, paths, context.settings.Metrics)
      return { surfaces: { 'demo-pki': app } }
    },
  })

/** Where the PKI is kept between starts. */
export const pkiFolder = (dataFolder: string): string => join(dataFolder, 'demo-pki', 'pki')

/** The certificates contain the address they are served at, so it must be known before the server listens. */
const openPki = ({ settings: { Http }, dataFolder, clock }: Context) =>
  openDemoPki(pkiFolder(dataFolder), { baseUrl: Http.PublicUrl ?? `http://localhost:${Http.Port}`, clock })

/** The PKI's app: its routes refuse with the demo's codes and authenticate callers by API key. */
export type PkiApp = Awaited<ReturnType<typeof createPkiApp>>

const createPkiApp = async (context: Context) =>
  createSurfaceApp(context, {
    surface,
    description: DESCRIPTION,
    dialect: problemDetails,
    vocabulary: demoErrors,
    frameworkErrors: demoFrameworkErrors,
    ring: await openKeys(context),
  })

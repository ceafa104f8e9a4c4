import { catalogue, version } from '@chancela/cli'
import { plus, SECOND } from '@chancela/service-kernel/clock'
import type {
  RunningService,
  RunningSurface,
  ServiceDefinition,
  SurfaceDefinition,
} from '@chancela/service-kernel/service'
import type { DemoFile } from '../demo-file.ts'
import type { HolderView, ServiceView, SuiteView } from './contract.ts'
import { curlLines } from './curl-lines.ts'
import { type Probe, probe } from './probe.ts'

/** A row of the board: a base URL of the catalogue or of the demo itself. */
type Row = Pick<ServiceView, 'name' | 'title' | 'summary' | 'specification'> & { readonly port: number }

type Known = DemoFile['services'][string]

// Every open tab polls every few seconds; the cache keeps the services from being asked as often.
const KEPT_SECONDS = 2

/** Base URLs that the walk through a signature needs. */
const WALK_NEEDS = ['document-platform', 'demo-pki']

/** Lists every base URL of the suite and probes the running ones. */
export class SuiteBoard {
  readonly #built: readonly ServiceDefinition[]
  readonly #startedAt: Date
  #running: readonly RunningService[] = []
  #file: DemoFile = { services: {}, holders: [] }
  #kept: { until: Date; view: Promise<SuiteView> } | undefined

  constructor(built: readonly ServiceDefinition[], startedAt: Date) {
    this.#built = built
    this.#startedAt = startedAt
  }

  /** Sets what runs; called as services start. */
  update(running: readonly RunningService[], file: DemoFile): void {
    this.#running = running
    this.#file = file
    this.#kept = undefined
  }

  /** What is known of one base URL that runs. */
  known(name: string): Known | undefined {
    return this.#file.services[name]
  }

  get holders(): readonly HolderView[] {
    return this.#file.holders
  }

  /** Base URLs the walk needs and that do not run. */
  get walkMissing(): string[] {
    return WALK_NEEDS.filter((name) => !this.known(name))
  }

  /** Everything the home page shows. */
  view(now: Date): Promise<SuiteView> {
    if (!this.#kept || now >= this.#kept.until)
      this.#kept = { until: plus(now, KEPT_SECONDS * SECOND), view: this.#look() }
    return this.#kept.view
  }

  async #look(): Promise<SuiteView> {
    const { holders, trustAnchors } = this.#file
    return {
      version,
      startedAt: this.#startedAt.toISOString(),
      services: await Promise.all(this.#rows().map((row) => this.#serviceView(row))),
      holders: [...holders],
      ...(trustAnchors !== undefined && { trustAnchors }),
      walk: { missing: this.walkMissing },
    }
  }

  #rows(): readonly Row[] {
    const built = this.#built.flatMap((service) => service.surfaces.map((surface) => rowOf(service, surface)))
    const named = new Set(catalogue.map(({ name }) => name))
    const ofProduct = catalogue.map(({ planned, folder: _, ...entry }): Row => {
      const row = built.find(({ name }) => name === entry.name) ?? planned
      if (!row) throw new Error(`${entry.name} is neither built nor said to be planned.`)
      return { ...row, ...entry }
    })
    return [...ofProduct, ...built.filter(({ name }) => !named.has(name))]
  }

  async #serviceView(row: Row): Promise<ServiceView> {
    const { port, ...shown } = row
    const running = this.#surface(row.name)
    if (running) return { ...shown, ...(await runningView(running, this.known(row.name))) }
    const state = this.#isBuilt(row.name) ? 'stopped' : 'not-built'
    return { ...shown, baseUrl: `http://localhost:${port}`, state, checks: [], curl: [] }
  }

  #surface(name: string): RunningSurface | undefined {
    return this.#running.flatMap((service) => service.surfaces).find((surface) => surface.definition.name === name)
  }

  #isBuilt(name: string): boolean {
    return this.#built.some((service) => service.surfaces.some((surface) => surface.name === name))
  }
}

/** No specification covers the demo's own services. */
function rowOf(service: ServiceDefinition, surface: SurfaceDefinition): Row {
  const { name, title, summary } = surface
  const specification = { 'pt-BR': 'só na demonstração', 'en-US': 'demo only' }
  return { name, title, summary, specification, port: defaultPortOf(service, surface) }
}

function defaultPortOf(service: ServiceDefinition, { section }: SurfaceDefinition): number {
  const { properties } = service.settings as {
    properties: Record<string, { properties: { Port: { default: number } } }>
  }
  return properties[section]!.properties.Port.default
}

async function runningView(surface: RunningSurface, known: Known | undefined) {
  const { definition, baseUrl } = surface
  const { apiKey } = known ?? {}
  const url = (path: string) => `${baseUrl}${path}`
  const signIn = signInOf(surface, known)
  return {
    baseUrl,
    ...(await stateOf(surface)),
    healthUrl: url(definition.healthPath),
    ...(definition.referencePath && { referenceUrl: url(definition.referencePath) }),
    ...(definition.openApiPath && { openApiUrl: url(definition.openApiPath) }),
    ...(apiKey !== undefined && { apiKey }),
    ...(definition.apiKey && { apiKeyHeader: definition.apiKey.header }),
    ...(signIn && { signIn }),
    curl: [...curlLines(surface, known)],
  }
}

/** Pages whose operators sign in with the key of the service. */
const openedByKey: ReadonlySet<string> = new Set(['batch-signer'])

function signInOf({ definition, baseUrl }: RunningSurface, known: Known | undefined): ServiceView['signIn'] {
  const { userEmail, userPassword, apiKey }: Partial<Known> = known ?? {}
  if (userEmail && userPassword) return { url: baseUrl, email: userEmail, password: userPassword }
  return apiKey && openedByKey.has(definition.name) ? { url: baseUrl, password: apiKey } : undefined
}

const stateOf = ({ definition, baseUrl }: RunningSurface): Promise<Probe> =>
  probe(`${baseUrl}${definition.readyPath ?? definition.healthPath}`)

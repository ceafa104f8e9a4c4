import { type CatalogueEntry, catalogue, version } from '@chancela/cli'
import { plus, SECOND } from '@chancela/service-kernel/clock'
import type {
  RunningService,
  RunningSurface,
  ServiceDefinition,
  SurfaceDefinition,
} from '@chancela/service-kernel/service'
import type { DemoFile } from '../demo-file.ts'
import type { ServiceView, SuiteView } from './contract.ts'
import { curlLines } from './curl-lines.ts'
import { type Probe, probe } from './probe.ts'

/** A row of the board: a base URL of the catalogue or of the demo itself. */
type Row = Pick<CatalogueEntry, 'name' | 'title' | 'summary' | 'specification' | 'port'>

// The page asks every few seconds in each open tab; the services need not be asked as often.
const KEPT_SECONDS = 2

/** Knows every base URL of the suite and asks those that run how they are. */
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

  /** Tells the board what runs; called as services come up. */
  update(running: readonly RunningService[], file: DemoFile): void {
    this.#running = running
    this.#file = file
    this.#kept = undefined
  }

  /** What is known of one base URL. */
  known(name: string): DemoFile['services'][string] | undefined {
    return this.#file.services[name]
  }

  /** Everything the home page shows. */
  view(now: Date): Promise<SuiteView> {
    if (!this.#kept || now >= this.#kept.until)
      this.#kept = { until: plus(now, KEPT_SECONDS * SECOND), view: this.#look() }
    return this.#kept.view
  }

  async #look(): Promise<SuiteView> {
    const { holders, trustAnchors } = this.#file
    const services = await Promise.all(this.#rows().map((row) => this.#serviceView(row)))
    const anchors = trustAnchors === undefined ? {} : { trustAnchors }
    return { version, startedAt: this.#startedAt.toISOString(), services, holders: [...holders], ...anchors }
  }

  #rows(): readonly Row[] {
    const named = new Set(catalogue.map((entry) => entry.name))
    const ours = this.#built.flatMap((service) => service.surfaces.map((surface) => rowOf(service, surface)))
    return [...catalogue, ...ours.filter((row) => !named.has(row.name))]
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

/** The demo's own services are in no specification; they say of themselves what they are. */
function rowOf(service: ServiceDefinition, surface: SurfaceDefinition): Row {
  const { name, title } = surface
  return { name, title, summary: service.summary, specification: 'demo only', port: defaultPortOf(service, surface) }
}

function defaultPortOf(service: ServiceDefinition, { section }: SurfaceDefinition): number {
  const { properties } = service.settings as unknown as {
    properties: Record<string, { properties: { Port: { default: number } } }>
  }
  return properties[section]!.properties.Port.default
}

async function runningView(surface: RunningSurface, known: DemoFile['services'][string] | undefined) {
  const { definition, baseUrl } = surface
  const { apiKey } = known ?? {}
  const url = (path: string) => `${baseUrl}${path}`
  return {
    baseUrl,
    ...(await stateOf(surface)),
    healthUrl: url(definition.healthPath),
    ...(definition.referencePath && { referenceUrl: url(definition.referencePath) }),
    ...(definition.openApiPath && { openApiUrl: url(definition.openApiPath) }),
    ...(apiKey !== undefined && { apiKey }),
    ...(definition.apiKey && { apiKeyHeader: definition.apiKey.header }),
    curl: curlLines(surface, known),
  }
}

const stateOf = ({ definition, baseUrl }: RunningSurface): Promise<Probe> =>
  probe(`${baseUrl}${definition.readyPath ?? definition.healthPath}`)

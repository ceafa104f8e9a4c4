import type { Clock } from '@chancela/service-kernel/clock'
import type { RunningService } from '@chancela/service-kernel/service'
import { consoleAccess, type DemoAdministrator } from './demo-administrator.ts'
import { demoSubscription } from './demo-core.ts'
import { demoUniversity } from './demo-credentials.ts'
import type { DemoFile } from './demo-file.ts'
import { keyAtHub } from './demo-hub.ts'
import { callerKeys, demoKeys } from './demo-keys.ts'
import { demoOrganization } from './demo-organization.ts'

/** How each base URL of a service is called: with its key, or with that of an organization the demo has there. */
type Access = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Finds or creates the keys to call the services of the demo. Keys of an earlier start are kept while they work. */
export class DemoAccess {
  readonly former: DemoFile | undefined
  readonly administrator: DemoAdministrator
  /** Keys of other services for the session server, once they are made, as `data/demo.json` names them. */
  readonly tokenKeys: Record<string, string> = {}
  readonly #clock: Clock
  readonly #known = new Map<string, Promise<Access>>()

  constructor(former: DemoFile | undefined, administrator: DemoAdministrator, clock: Clock) {
    this.former = former
    this.administrator = administrator
    this.#clock = clock
  }

  /** Cached: it is called twice, because dependent services need another's key before the whole demo has started. */
  of(service: RunningService): Promise<Access> {
    const { name } = service.definition
    const known = this.#known.get(name) ?? this.#find(service)
    this.#known.set(name, known)
    return known
  }

  async #find(service: RunningService): Promise<Access> {
    const keyOf = (name: string) => this.#formerly(name)?.administrationKey ?? this.#formerly(name)?.apiKey
    const keys = await demoKeys(service, keyOf, this.#clock)
    const found: Record<string, Readonly<Record<string, string>>> = {}
    for (const { definition, baseUrl } of service.surfaces)
      found[definition.name] = await this.#accessOf(service, definition.name, baseUrl, keys[definition.name])
    return found
  }

  async #accessOf(
    service: RunningService,
    surface: string,
    baseUrl: string,
    key: string | undefined,
  ): Promise<Record<string, string>> {
    if (surface.endsWith('-console')) return consoleAccess(this.administrator)
    if (key === undefined) return {}
    const former = this.#formerly(surface)
    if (surface === 'cloud-hub') return { apiKey: key, ...(await this.#keysAtHub(service)) }
    if (surface === 'pki-core') {
      const { dataFolder } = service.context
      return { ...(await demoSubscription(baseUrl, key, former, dataFolder)), administrationKey: key }
    }
    if (surface === 'credential-platform')
      return { ...(await demoUniversity(baseUrl, key, former, this.administrator)), administrationKey: key }
    if (surface === 'session-server') return { apiKey: key, ...this.tokenKeys }
    if (surface !== 'document-platform') return { apiKey: key }
    return { ...(await demoOrganization(baseUrl, key, former, this.administrator)), administrationKey: key }
  }

  async #keysAtHub(hub: RunningService): Promise<Record<string, string>> {
    const keys: Record<string, string> = {}
    for (const [caller, name] of Object.entries(callerKeys))
      keys[name] = await keyAtHub(hub, caller, this.#formerly('cloud-hub')?.[name], this.#clock)
    return keys
  }

  #formerly(name: string) {
    return this.former?.services[name]
  }
}

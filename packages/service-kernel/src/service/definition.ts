import type { Logger } from 'pino'
import type { Static, TSchema } from 'typebox'
import type { Clock } from '../clock/index.ts'
import type { SettingsRule } from '../config/index.ts'
import type { StartupProblem } from '../errors/index.ts'
import { type AuditChain, type ChainedKind, type EventLog, type EventText, sealedAuditKeys } from '../events/index.ts'
import type { CertificateWatch, DiskSpace, Heartbeats, Readiness } from '../health/index.ts'
import type { App, KeyForm } from '../http/index.ts'
import type { Bilingual } from '../i18n/index.ts'
import type { Metrics } from '../metrics/index.ts'
import type { SealedTable, Secrets } from '../secrets/index.ts'
import type { MigrationSet, Store } from '../store/index.ts'

/** One base URL of a service. Two surfaces over one domain are two of these. */
export interface SurfaceDefinition {
  /** Name of the base URL, as in `--only` and `data/demo.json`. */
  readonly name: string
  readonly title: Bilingual
  /** One sentence of what it does. */
  readonly summary: Bilingual
  /** The settings section that holds its Host, Port and DrainSeconds. */
  readonly section: string
  readonly healthPath: string
  readonly readyPath?: string
  readonly referencePath?: string
  readonly openApiPath?: string
  /** How its API key is sent, if it takes one. */
  readonly apiKey?: SurfaceKey
  /** Name of the surface that administers this one, if it is another. */
  readonly console?: string
}

/** The header of a surface's key, and where keys come from: rows of its own (`form`), or one setting. */
export type SurfaceKey =
  | { readonly header: string; readonly form: KeyForm; readonly setting?: never }
  | { readonly header: string; readonly setting: string; readonly form?: never }

interface AnyService {
  /** Folder name: also its object in the settings file and its schema on PostgreSQL. */
  readonly name: string
  readonly title: string
  readonly summary: string
  /** Made with `serviceSettings` or `statelessSettings`. */
  readonly settings: TSchema
  /** Rules over several settings; checked when each is valid by itself. */
  readonly rules?: readonly SettingsRule<never>[]
  readonly surfaces: readonly SurfaceDefinition[]
  /** Prefix of the kernel's own metrics, where the contract requires one. */
  readonly metricsPrefix?: string
}

/** A service with a database. */
export interface StatefulService<Settings = unknown, Tables = unknown> extends AnyService {
  /** Schema owners and steps of its database; `master-keys` is one of them. */
  readonly migrations: MigrationSet
  /** Whether, on SQLite, calls that write at the same moment share one commit. */
  readonly sharesCommits?: boolean
  /**
   * What it records and nobody can change unnoticed: `[chainedEvents]`, and more where other tables are evidence, too.
   * Its migrations make the chain. None by default.
   */
  readonly chained?: readonly ChainedKind[]
  /** An event's sentence in a reader's language; the stored one, which is English, by default. */
  readonly eventText?: EventText
  /** Its tables with sealed values, so that a rotation of the master key includes them. */
  readonly sealedTables?: readonly SealedTable[]
  /**
   * Throws what `build` would refuse of these settings and of the files they name; for `chancela config check`. It
   * opens nothing that stays open.
   */
  check?(given: CheckContext<Settings, Tables>): Promise<void>
  /** Wires the service; nothing listens yet. What it opens it adds to `context.closing`. */
  build(context: ServiceContext<Settings, Tables>): Promise<BuiltService>
  /**
   * Wires what answers where the start cannot reach its database: liveness and readiness, whose check `database` the
   * kernel has added, and nothing that works. Every other call is refused by the kernel. A service without it ends its
   * start instead.
   */
  buildWithoutStore?(context: StatelessContext<Settings>): Promise<BuiltService>
}

/** What a check of the settings may look at. */
export interface CheckContext<Settings = unknown, Tables = unknown>
  extends Pick<StatelessContext<Settings>, 'settings' | 'dataFolder' | 'logger' | 'clock'> {
  /** Reads the database as it is; undefined when there is none yet, or none that answers. */
  peek<T>(read: (store: Store<Tables>) => Promise<T>): Promise<T | undefined>
}

/** A service without a database. */
export interface StatelessService<Settings = unknown> extends AnyService {
  readonly migrations?: never
  build(context: StatelessContext<Settings>): Promise<BuiltService>
}

/** A service as data and one function: all that the composition root knows of it. */
export type ServiceDefinition = StatefulService | StatelessService

/**
 * Defines a service with its own settings and tables. The kernel checks the settings against the schema and migrates
 * the database before it builds: that is why the types hold.
 */
export const defineService = <Schema extends TSchema, Tables>(
  definition: StatefulService<Static<Schema>, Tables> & { readonly settings: Schema },
): StatefulService => {
  const { chained, sealedTables = [] } = definition
  const sealed = chained ? [...sealedTables, sealedAuditKeys] : sealedTables
  return { ...definition, sealedTables: sealed } as unknown as StatefulService
}

/** What the kernel provides to a service. Its settings have been checked against its schema. */
export interface StatelessContext<Settings = unknown> {
  /** Name of the service, as in its settings. */
  readonly service: string
  readonly settings: Settings
  readonly version: string
  readonly clock: Clock
  readonly logger: Logger
  /** Base folder of relative paths in the settings. */
  readonly dataFolder: string
  readonly metrics: Metrics
  readonly readiness: Readiness
  /** Loops that run by themselves tell here that they do; behind the check `workers`. */
  readonly heartbeats: Heartbeats
  /** Folders in which the service writes; behind the check `disk`. The data folder and the log's are watched already. */
  readonly disks: DiskSpace
  /** Certificates that the service uses; those of its surfaces are watched already. */
  readonly certificates: CertificateWatch
  /** Closed in reverse order when the service stops, after its surfaces have drained. */
  readonly closing: Closing
  /** Says why this process cannot go on: whoever started the service stops it, and ends with that sentence. */
  readonly giveUp: (problem: StartupProblem) => void
}

/** What a service with a database gets in addition; the store is open and migrated. */
export interface ServiceContext<Settings = unknown, Tables = unknown> extends StatelessContext<Settings> {
  readonly store: Store<Tables>
  readonly events: EventLog
  /** The chain of what the definition says is chained: whoever deletes such a record tells it. */
  readonly chain: AuditChain
  readonly secrets: Secrets
}

/** Resources to close later, last opened first. */
export interface Closing {
  add(what: string, close: () => Promise<void> | void): void
}

export interface BuiltService {
  /** One application per surface, by the surface's name. */
  readonly surfaces: Readonly<Record<string, App>>
}

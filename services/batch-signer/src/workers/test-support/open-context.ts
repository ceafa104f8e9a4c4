import { randomUUID } from 'node:crypto'
import type { Clock } from '@chancela/service-kernel/clock'
import { loadSettings } from '@chancela/service-kernel/config'
import { AuditChain, createEventLog } from '@chancela/service-kernel/events'
import {
  createCertificateWatch,
  createDiskSpace,
  createHeartbeats,
  createReadiness,
} from '@chancela/service-kernel/health'
import { createLogger, type Logger } from '@chancela/service-kernel/http'
import { createMetrics } from '@chancela/service-kernel/metrics'
import { openSecrets } from '@chancela/service-kernel/secrets'
import type { Store } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import { type BatchSignerSettings, batchSignerSettings } from '../../settings.ts'
import { chainedRecords } from '../../store/chained-records.ts'
import { JobLedger, type LedgerOptions } from '../../store/job-ledger.ts'
import type { Tables } from '../../store/tables.ts'

export interface ContextOptions {
  readonly store: Store<Tables>
  readonly clock: Clock
  readonly dataFolder: string
  /** Settings that differ from their defaults, in the format of the settings file. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly logger?: Logger
  onTrouble?(error: unknown): void
  onRecovery?(): void
}

/** The context of the service's parts, over a migrated store; what was opened is closed in reverse order. */
export async function openContext(options: ContextOptions): Promise<Context & { close(): Promise<void> }> {
  const { store, clock, dataFolder } = options
  const closings: (() => Promise<void> | void)[] = []
  const settings = settingsWith(options.settings ?? {})
  const ledger = new JobLedger(ledgerOptions(options, settings))
  const metrics = createMetrics({ service: 'batch-signer', version: '0.0.0-test', prefix: 'bulk_' })
  const readiness = createReadiness({ clock, cacheSeconds: 0 })
  return {
    service: 'batch-signer',
    settings,
    version: '0.0.0-test',
    clock,
    logger: options.logger ?? createLogger({ service: 'batch-signer', level: 'silent' }),
    dataFolder,
    store,
    events: createEventLog(store, clock),
    secrets: openSecrets({
      service: 'batch-signer',
      masterKeyFile: 'unused',
      masterKey: Buffer.alloc(32, 7).toString('base64'),
    }),
    metrics,
    readiness,
    heartbeats: createHeartbeats(),
    disks: createDiskSpace({ leastBytes: 0 }),
    certificates: createCertificateWatch({ metrics, readiness, clock, warningDays: 21, criticalDays: 3 }),
    closing: { add: (_what, close) => closings.push(close) },
    giveUp: () => undefined,
    ledger,
    chain: new AuditChain({ kinds: chainedRecords, clock }),
    close: async () => {
      for (const close of closings.splice(0).reverse()) await close()
      await ledger.close()
    },
  }
}

const ledgerOptions = (
  { store, onTrouble, onRecovery }: ContextOptions,
  settings: BatchSignerSettings,
): LedgerOptions => ({
  store,
  owner: `test:${randomUUID()}`,
  namesOnce: settings.Pipeline.RejectAlreadyProcessedFileNames,
  onTrouble: (error) => onTrouble?.(error),
  onRecovery: () => onRecovery?.(),
})

function settingsWith(file: NonNullable<ContextOptions['settings']>): BatchSignerSettings {
  const { settings } = loadSettings({
    schemas: { 'batch-signer': batchSignerSettings },
    environment: {},
    defaults: { 'batch-signer': file },
  })
  return settings['batch-signer']
}

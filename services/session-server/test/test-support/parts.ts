// The parts of the service without its routes, tested on a database of their own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AuditChain, createEventLog } from '@chancela/service-kernel/events'
import {
  createCertificateWatch,
  createDiskSpace,
  createHeartbeats,
  createReadiness,
} from '@chancela/service-kernel/health'
import { createLogger } from '@chancela/service-kernel/http'
import { createMetrics } from '@chancela/service-kernel/metrics'
import { openSecrets } from '@chancela/service-kernel/secrets'
import { sharingTransactions } from '@chancela/service-kernel/store'
import { settingsOf, withSections } from '@chancela/testkit/service-world'
import { testStores } from '@chancela/testkit/stores'
import { onTestFinished } from 'vitest'
import { openParts } from '../../src/compose.ts'
import type { Context } from '../../src/context.ts'
import { sessionServer } from '../../src/index.ts'
import type { SessionServerSettings } from '../../src/settings.ts'
import { sessionServerSchema } from '../../src/store/migrations.ts'
import type { Tables } from '../../src/store/tables.ts'
import { clock } from './pki.ts'
import { type Database, ownSettings, type SettingsFile } from './session-world.ts'
import { masterKeyOf } from './vault.ts'

export async function openTestParts(database: Database, changes: SettingsFile = {}) {
  const store = await testStores[database]<Tables>(sessionServerSchema)
  const dataFolder = await mkdtemp(join(tmpdir(), 'chancela-parts-'))
  const settings = settingsOf(sessionServer, store, withSections(ownSettings(), changes)) as SessionServerSettings
  const closes: (() => Promise<void> | void)[] = [() => rm(dataFolder, { recursive: true, force: true })]
  const metrics = createMetrics({ service: 'parts-test', version: '1.0.0-test' })
  const readiness = createReadiness({ cacheSeconds: 0, clock })
  const context: Context = {
    service: sessionServer.name,
    settings,
    version: '1.0.0-test',
    clock,
    dataFolder,
    store: sharingTransactions(store),
    logger: createLogger({ service: 'parts-test', level: 'silent' }),
    metrics,
    readiness,
    heartbeats: createHeartbeats(),
    disks: createDiskSpace({ leastBytes: 0 }),
    certificates: createCertificateWatch({ metrics, readiness, clock, warningDays: 21, criticalDays: 3 }),
    events: createEventLog(store, clock),
    chain: new AuditChain({ kinds: sessionServer.chained!, clock }),
    secrets: openSecrets(masterKeyOf({ settings, dataFolder })),
    closing: { add: (_what, close) => void closes.unshift(close) },
    giveUp: () => undefined,
  }
  onTestFinished(async () => {
    for (const close of closes) await close()
  })
  return { context, ...(await openParts(context)), store: context.store, settings, dataFolder }
}

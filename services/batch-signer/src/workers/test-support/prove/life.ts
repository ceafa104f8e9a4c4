// One run of the service: the process that the prover starts and kills. It is the whole service behind its public door;
// only its files and its ledger can be made to fail or to crash, and its clock is the plan's.
import { join } from 'node:path'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { startService } from '@chancela/service-kernel/service'
import { batchSigner } from '../../../index.ts'
import { Doom } from './doom.ts'
import type { LifePlan, LifeSetup, Order, Word } from './life-plan.ts'
import { API_KEY, foldersOf, IN_MEMORY_BYTES, inputNames } from './world-folders.ts'

let doom: Doom | undefined

process.on('message', async (message: Order) => {
  if (message.order === 'work') doom?.work()
  else await live(message.setup, message.plan)
})
// Without a prover the process exits.
process.on('disconnect', () => process.exit())
say({ word: 'loaded' })

function say(word: Word): void {
  process.send!(word)
}

/** Starts the service: it recovers and listens, but takes and signs nothing before the order to work. */
async function live(setup: LifeSetup, plan: LifePlan): Promise<void> {
  doom = new Doom(setup.root, plan)
  doom.takeHold()
  const { settings } = loadSettings({
    schemas: { 'batch-signer': batchSigner.settings },
    environment: {},
    defaults: { 'batch-signer': settingsOf(setup) },
  })
  const running = await startService(batchSigner, settings['batch-signer'] as KernelSettings, {
    clock: doom.clock,
    version: '0.0.0-proof',
    dataFolder: setup.root,
    logFile: join(setup.root, 'service.log'),
  })
  const { baseUrl } = running.surfaces.find(({ definition }) => definition.name === 'batch-signer')!
  say({ word: 'recovered', baseUrl })
}

const profiles = {
  default: {},
  remittances: { Format: 'Cades', CheckCnab240: true, CheckCnab240PaymentDates: true },
  quiet: { Format: 'Cades' },
} as const

const settingsOf = ({ root, databaseUrl, cluster, pkcs12File, password }: LifeSetup) => ({
  Http: { Port: 0 },
  Compact: { Port: 0 },
  Log: { Level: 'warn' },
  Database: { Url: databaseUrl },
  Auth: { ApiKey: API_KEY },
  // Short, so that a frozen process is given up while the second one works.
  Cluster: { Enabled: cluster, HeartbeatSeconds: 1, StaleAfterSeconds: 2 },
  RateLimiting: { Enabled: false },
  Storage: {
    Root: foldersOf(root).work,
    Inputs: inputNames.map((name) => ({ Name: name, Path: foldersOf(root).input(name) })),
  },
  WatchedFolder: { StabilityPollIntervalMs: 50, StabilityRequiredSamples: 1, PollIntervalSeconds: 5 },
  Pipeline: { InMemoryBytes: IN_MEMORY_BYTES },
  Signing: {
    Profiles: inputNames.map((name) => ({
      Name: name,
      InputFolder: name,
      ...profiles[name],
      Level: 'B-B',
      ValidateCertificate: false,
      Pkcs12File: pkcs12File,
      Pkcs12Password: password,
    })),
  },
})

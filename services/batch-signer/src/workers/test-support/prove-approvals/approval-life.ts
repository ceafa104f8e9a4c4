// One process of the service in the proof of approvals: the whole service behind its public door.
import { join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { startService } from '@chancela/service-kernel/service'
import { batchSigner } from '../../../index.ts'
import { API_KEY, folderNames, IN_MEMORY_BYTES, inputOf, type LifeOrder, rules, workOf } from './approval-plan.ts'

process.on('message', (order: LifeOrder) => void live(order))
// Without a prover the process exits.
process.on('disconnect', () => process.exit())

async function live(order: LifeOrder): Promise<void> {
  const { settings } = loadSettings({
    schemas: { 'batch-signer': batchSigner.settings },
    environment: {},
    defaults: { 'batch-signer': settingsOf(order) },
  })
  const running = await startService(batchSigner, settings['batch-signer'] as KernelSettings, {
    clock: systemClock,
    version: '0.0.0-proof',
    dataFolder: order.root,
    logFile: join(order.root, 'service.log'),
  })
  const { baseUrl } = running.surfaces.find(({ definition }) => definition.name === 'batch-signer')!
  process.send!({ baseUrl })
}

const settingsOf = ({ root, databaseUrl, cluster, pkcs12File, password }: LifeOrder) => ({
  Http: { Port: 0 },
  Compact: { Port: 0 },
  Log: { Level: 'warn' },
  Database: { Url: databaseUrl },
  Auth: { ApiKey: API_KEY },
  Cluster: { Enabled: cluster, HeartbeatSeconds: 1, StaleAfterSeconds: 3 },
  RateLimiting: { Enabled: false },
  Storage: { Root: workOf(root), Inputs: folderNames.map((name) => ({ Name: name, Path: inputOf(root, name) })) },
  WatchedFolder: { StabilityPollIntervalMs: 50, StabilityRequiredSamples: 1, PollIntervalSeconds: 5 },
  Pipeline: { InMemoryBytes: IN_MEMORY_BYTES, PollIntervalSeconds: 1 },
  Signing: {
    Profiles: folderNames.map((name) => ({
      Name: name,
      InputFolder: name,
      Format: 'Cades',
      Level: 'B-B',
      ValidateCertificate: false,
      Pkcs12File: pkcs12File,
      Pkcs12Password: password,
      Approval: rules[name],
    })),
  },
})

// One process of the service in the proof of approvals: the whole service behind its public door.
import { join } from 'node:path'
import { systemClock } from '@chancela/service-kernel/clock'
import { type KernelSettings, loadSettings } from '@chancela/service-kernel/config'
import { startService } from '@chancela/service-kernel/service'
import { batchSigner } from '../../../index.ts'
import { localFiles } from '../../../upstream/storage/local/file-operations.ts'
import { faultyFiles } from '../faulty-files.ts'
import {
  API_KEY,
  folderNames,
  IN_MEMORY_BYTES,
  inputOf,
  LINK_SECRET,
  type LifeOrder,
  rules,
  workOf,
} from './approval-plan.ts'

process.on('message', (order: LifeOrder) => void live(order))
// Without a prover the process exits.
process.on('disconnect', () => process.exit())

async function live(order: LifeOrder): Promise<void> {
  if (order.diesWithEnvelope) dieWithEnvelope()
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

/** The envelope has its name, and no row tells of it yet. */
function dieWithEnvelope(): void {
  const after = () => process.kill(process.pid, 'SIGKILL')
  const isEnvelope = /signatures-[0-9a-f]{64}\.p7m$/
  Object.assign(
    localFiles,
    faultyFiles(({ operation, to }) => (operation === 'rename' && isEnvelope.test(to) ? { after } : undefined)),
  )
}

const settingsOf = ({ root, databaseUrl, cluster, pkcs12File, password, rootsFile, asksForCodes }: LifeOrder) => ({
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
  ApproverPortal: { Enabled: true, LinkSecret: LINK_SECRET },
  ApproverSecondFactor: {
    Enabled: asksForCodes,
    SeedSecret: 'what the seeds of the proof of approvals are sealed with',
  },
  Signing: {
    TrustAnchorsFile: rootsFile,
    AuthorityHosts: ['127.0.0.0/8'],
    Profiles: folderNames.map((name) => ({
      Name: name,
      InputFolder: name,
      Format: 'Cades',
      Level: 'B-B',
      ValidateCertificate: false,
      ...(name !== 'signed' && { Pkcs12File: pkcs12File, Pkcs12Password: password }),
      Approval: rules[name],
    })),
  },
})

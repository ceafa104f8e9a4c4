// One run of the service: the process that the prover starts and kills. Store, ledger, profiles with a PKCS#12 key,
// intake, recovery and pipeline are the service's own; only the files and the ledger can be made to fail or to crash.
import { migrate, openStore } from '@chancela/service-kernel/store'
import { openBatchMetrics } from '../../../metrics.ts'
import { openProfileDirectory } from '../../../parts/signing/open-profile-directory.ts'
import type { Tables } from '../../../store/tables.ts'
import { migrationSet } from '../../../test-support/ledger-world.ts'
import { createInputFiles } from '../../../upstream/storage/local/input-files.ts'
import { createWorkArea } from '../../../upstream/storage/local/work-area.ts'
import { createIntake } from '../../intake/intake.ts'
import { createPipeline } from '../../pipeline/create-pipeline.ts'
import { recover } from '../../recovery/recover.ts'
import { openContext } from '../open-context.ts'
import { Doom, doomedLedger } from './doom.ts'
import type { LifePlan, LifeSetup, Order, Word } from './life-plan.ts'
import { databaseUrl, IN_MEMORY_BYTES } from './world-folders.ts'

let work: () => Promise<void> = async () => {}

process.on('message', async (message: Order) => {
  if (message.order === 'work') return work()
  work = await live(message.setup, message.plan)
  say({ word: 'recovered' })
})
// Without a prover the process exits.
process.on('disconnect', () => process.exit())
say({ word: 'loaded' })

function say(word: Word): void {
  process.send!(word)
}

async function live(setup: LifeSetup, plan: LifePlan): Promise<() => Promise<void>> {
  const { root } = setup
  const doom = new Doom(root, plan)
  const store = await openStore<Tables>({ url: databaseUrl(root), service: 'batch-signer' })
  await migrate(store, migrationSet)
  const context = await openContext({
    store,
    clock: doom.clock,
    dataFolder: root,
    settings: settingsOf(setup),
    createLedger: (options) => doomedLedger(doom, options),
  })
  const metrics = openBatchMetrics(context)
  const profiles = await openProfileDirectory(context)
  const fs = doom.files()
  const area = await createWorkArea({ root, fs })
  const inputs = createInputFiles({ root, inMemoryBytes: IN_MEMORY_BYTES, fs })
  const intake = await createIntake(context, { profiles, work: area })
  await recover(context, { work: area, inputs, metrics })
  const onDiverged = () => {}
  const pipeline = createPipeline(context, { profiles, work: area, inputs, metrics, onDiverged, probeMs: 20 })
  return async () => {
    doom.work()
    pipeline.start()
    intake.start()
    // Jobs that failed because a run ended are run again, as an operator would.
    await intake.rescan(undefined, 'prover')
  }
}

const settingsOf = ({ root, pkcs12File, password }: LifeSetup) => ({
  Storage: { Root: root },
  WatchedFolder: { StabilityPollIntervalMs: 50, StabilityRequiredSamples: 1 },
  Pipeline: { InMemoryBytes: IN_MEMORY_BYTES },
  Signing: {
    Profiles: [
      {
        Name: 'default',
        InputFolder: 'default',
        Level: 'B-B',
        ValidateCertificate: false,
        Pkcs12File: pkcs12File,
        Pkcs12Password: password,
      },
    ],
  },
})

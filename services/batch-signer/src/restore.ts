import { type RestoredStore, restoreStore } from '@chancela/service-kernel/store'
import { batchSignerSchema } from './store/migrations.ts'

export interface RestoreOptions {
  /** The setting Database:Url. */
  readonly databaseUrl: string
  /** Base of relative paths. */
  readonly dataFolder: string
  /** The backup. */
  readonly from: string
  readonly now: Date
}

/** What was restored, and the operator's next steps. */
export interface Restored extends RestoredStore {
  readonly nextSteps: readonly string[]
}

/** Replaces the store of a stopped batch signer by a backup. */
export async function restoreBatchSigner({ databaseUrl, dataFolder, from, now }: RestoreOptions): Promise<Restored> {
  const restored = await restoreStore({
    service: 'batch-signer',
    url: databaseUrl,
    dataFolder,
    migrations: batchSignerSchema,
    from,
    now,
  })
  return { ...restored, nextSteps: nextSteps(restored) }
}

const nextSteps = ({ keptAside }: RestoredStore): readonly string[] => [
  'Put the master key file of the time of the backup in place (Secrets:MasterKeyFile); it is not part of a backup, and profiles whose secrets it does not open are degraded.',
  'Look at output/: files signed after the backup are there, but the restored store does not know their jobs. Move them to where they are used before their inputs are offered again.',
  'Whoever was signed in at the time of the backup is so again, also where that was ended since: change Auth:ApiKey and ApproverPortal:LinkSecret if that must not be, or end the sessions on the System page.',
  'Start the service. Jobs that were in flight at the time of the backup are failed or queued again as after a crash.',
  ...(keptAside === undefined ? [] : [`Delete ${keptAside} when all is well.`]),
]

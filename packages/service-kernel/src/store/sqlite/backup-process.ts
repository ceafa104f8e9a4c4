// A process of its own: copying waits for disks and the check reads every page while the service goes on signing, and
// the driver's copy cannot be stopped otherwise (terminating a thread in the middle of it crashes the process).
import { copySqlite } from './open-sqlite.ts'
import { settleCopy } from './settle-copy.ts'

export interface BackupTask {
  readonly source: string
  readonly destination: string
}

/** Messages of the process: the progress, and in the end whether the copy is sound. */
export type BackupReport =
  | { readonly done: number; readonly total: number }
  | { readonly sound: true }
  | { readonly problem: string }

const report = (message: BackupReport): boolean | undefined => process.send?.(message)

async function copy({ source, destination }: BackupTask): Promise<BackupReport> {
  try {
    await copySqlite(source, destination, (done, total) => report({ done, total }))
    const damage = settleCopy(destination)
    return damage === undefined ? { sound: true } : { problem: `the copy is damaged: ${damage}` }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

process.once('message', async (task: BackupTask) => {
  report(await copy(task))
  process.disconnect()
})
// The parent is gone: nobody would take the copy.
process.once('disconnect', () => process.exit())

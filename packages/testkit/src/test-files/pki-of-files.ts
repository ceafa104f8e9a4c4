import { type TestClock, testClock } from '../clock/index.ts'
import { cachedKeys, type RunningDemoPki, startDemoPki } from '../demo-pki/index.ts'
import { atEveryFileStart } from './file-hooks.ts'

/** A PKI over HTTP and its clock. */
export interface PkiOfFiles extends RunningDemoPki {
  readonly clock: TestClock
}

/**
 * One PKI for all test files of a process, over HTTP. Each file finds it as new: the time is `start`, and what an
 * earlier file issued, revoked or broke is undone.
 */
export async function pkiOfFiles(start: string): Promise<PkiOfFiles> {
  const clock = testClock(start)
  atEveryFileStart(() => clock.set(start))
  return { ...(await asNewForEveryFile(startDemoPki({ keys: cachedKeys(), clock }))), clock }
}

let today: Promise<RunningDemoPki> | undefined

/** The same in real time. */
export function pkiOfToday(): Promise<RunningDemoPki> {
  today ??= asNewForEveryFile(startDemoPki({ keys: cachedKeys() }))
  return today
}

async function asNewForEveryFile(starting: Promise<RunningDemoPki>): Promise<RunningDemoPki> {
  const running = await starting
  const takeBack = running.pki.mark()
  atEveryFileStart(() => {
    running.faults.clear()
    takeBack()
  })
  return running
}

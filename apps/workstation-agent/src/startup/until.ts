import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '@chancela/service-kernel/clock'

const LOOK_EVERY = SECOND / 10

/** Whether it came to that in time; another process is waited for, which says nothing. */
export async function until(isSo: () => boolean, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(LOOK_EVERY)) if (isSo()) return true
  return isSo()
}

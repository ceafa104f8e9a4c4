// An instance whose start could not reach its database: it answers, works not, and stays so until it is restarted.
import { SECOND } from '../clock/index.ts'
import { FrameworkProblem } from '../errors/index.ts'
import type { App } from '../http/index.ts'
import { type OpenStoreOptions, openStore } from '../store/index.ts'
import type { StatelessContext } from './definition.ts'

const ABSENT = 'This instance started without its database and must be restarted.'
const BACK = 'The database answers again, but this instance started without it and must be restarted.'

/** Seconds between two looks whether the database is back. */
const LOOK_EVERY = 5

/**
 * Adds the check `database`, red for the life of the instance. When the database is back it says so, and so does the
 * log, once: nothing restarts this instance by itself.
 */
export function watchForStore({ readiness, logger, closing }: StatelessContext, options: OpenStoreOptions): void {
  let detail = ABSENT
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  readiness.add('database', async () => ({ ok: false, detail }))
  const look = async () => {
    if (!(await answers(options))) return wait()
    if (stopped) return
    detail = BACK
    logger.warn('the database answers again: restart this instance, which started without it')
  }
  const wait = () => {
    if (!stopped) timer = setTimeout(() => void look(), LOOK_EVERY * SECOND)
  }
  closing.add('the look for the database', () => {
    stopped = true
    clearTimeout(timer)
  })
  wait()
}

async function answers(options: OpenStoreOptions): Promise<boolean> {
  try {
    await (await openStore(options)).close()
    return true
  } catch {
    // Why it cannot be used yet was said at the start, and will be by the next one.
    return false
  }
}

/** Refuses every call for which the app has no route, before its body is read. */
export function refuseWithoutStore(app: App): void {
  const onRequest = async () => {
    throw new FrameworkProblem('store-unreachable', { details: { reason: ABSENT }, headers: { 'retry-after': '5' } })
  }
  // By name too, because browsers are shown a page there where a service has none.
  for (const url of ['/', '/*']) app.all(url, { onRequest }, () => undefined)
}

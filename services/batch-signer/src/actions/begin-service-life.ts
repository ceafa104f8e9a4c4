import type { Context } from '../context.ts'
import { said, telling } from '../rules/sentences.ts'

/** The previous run of the service, from the event log. */
interface PreviousLife {
  readonly startedAt: Date
  /** Undefined when no stop was recorded: the process was killed, or the machine lost power. */
  readonly stoppedAt: Date | undefined
}

/** The current run of the service. */
export interface ServiceLife {
  readonly startedAt: Date
  readonly previous: PreviousLife | undefined
}

const STARTED = 'ServiceStarted'
const STOPPING = 'ServiceStopping'
const ACTOR = 'service'

/** Records that the service started, and on shutdown that it stops. */
export async function beginServiceLife(
  context: Pick<Context, 'events' | 'store' | 'clock' | 'version' | 'closing' | 'logger'>,
): Promise<ServiceLife> {
  const { events, store, clock, version, closing, logger } = context
  const previous = await previousLife(context)
  const startedAt = clock()
  if (previous && !previous.stoppedAt) logger.warn('the previous shutdown was not clean')
  await events.record(store.db, { type: STARTED, actor: ACTOR, ...telling(said('service-started', { version })) })
  closing.add('the life of the service', async () => {
    await events.record(store.db, { type: STOPPING, actor: ACTOR, ...telling(said('service-stopping', { version })) })
  })
  return { startedAt, previous }
}

async function previousLife({ events }: Pick<Context, 'events'>): Promise<PreviousLife | undefined> {
  const [last] = (await events.list({ type: [STARTED, STOPPING], pageSize: 1 })).items
  if (!last) return undefined
  if (last.type === STARTED) return { startedAt: last.at, stoppedAt: undefined }
  const [start] = (await events.list({ type: STARTED, pageSize: 1 })).items
  return { startedAt: start?.at ?? last.at, stoppedAt: last.at }
}

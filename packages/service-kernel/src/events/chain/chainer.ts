import type { Logger } from 'pino'
import { type Clock, SECOND } from '../../clock/index.ts'
import type { Secrets } from '../../secrets/index.ts'
import type { Store } from '../../store/index.ts'
import { sweeper, type Worker } from '../../workers/index.ts'
import type { AuditChain } from './audit-chain.ts'
import { openAuditKey } from './audit-key.ts'
import { makeCheckpoint } from './checkpoints.ts'

/** Milliseconds until a record has its link, at most. */
const EVERY = 2 * SECOND

export interface ChainerContext<Tables> {
  readonly store: Store<Tables>
  readonly logger: Logger
  readonly clock: Clock
  readonly secrets: Secrets
  readonly chain: AuditChain
  /** Milliseconds between two checkpoints. */
  readonly checkpointEvery: number
}

/**
 * Makes links for records, in every instance: whichever comes first takes what is there. Now and then it signs the head:
 * the checkpoint goes to the database and to the log, because a log that is kept elsewhere shows later what the chain was.
 */
export function createChainer<Tables>(context: ChainerContext<Tables>): Pick<Worker, 'start' | 'wake' | 'stop'> {
  const { store, logger, clock, secrets, chain, checkpointEvery } = context
  let signedAt: number | undefined
  const sign = async () => {
    const now = clock()
    signedAt = now.getTime()
    const key = await openAuditKey({ db: store.db, secrets, clock })
    const checkpoint = await makeCheckpoint(store, key, now)
    // As text: a log masks fields that are called signatures, and this one is a witness.
    if (checkpoint) logger.info({ checkpoint: JSON.stringify(checkpoint) }, 'a checkpoint of the audit chain')
  }
  // Either way: a clock that was put back must not silence it.
  const isDue = () => signedAt === undefined || Math.abs(clock().getTime() - signedAt) >= checkpointEvery
  const sweep = async (): Promise<boolean> => {
    const isMore = await continueChain(context)
    if (!isMore && isDue()) await sign()
    return isMore
  }
  const worker = sweeper(context, { name: 'continuation of the audit chain', every: EVERY }, sweep)
  return {
    ...worker,
    /** Called last, so that what the stop itself recorded has its link, and the head its signature. */
    async stop() {
      await worker.stop()
      while (await continueChain({ store, chain }));
      await sign()
    },
  }
}

/** Makes one batch of links; false when there is nothing to do. Nothing is locked to find that out. */
const continueChain = async <Tables>({
  store,
  chain,
}: Pick<ChainerContext<Tables>, 'store' | 'chain'>): Promise<boolean> =>
  (await chain.isWaiting(store.db)) && (await store.transaction((tx) => chain.append(tx))) > 0

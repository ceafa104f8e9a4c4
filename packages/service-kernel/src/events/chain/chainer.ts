import type { Logger } from 'pino'
import { type Clock, HOUR, plus, SECOND } from '../../clock/index.ts'
import type { Store } from '../../store/index.ts'
import { sweeper, type Worker } from '../../workers/index.ts'
import { type AuditChain, headOf } from './audit-chain.ts'

/** Milliseconds until a record has its link, at most. */
const EVERY = 2 * SECOND

export interface ChainerContext<Tables> {
  readonly store: Store<Tables>
  readonly logger: Logger
  readonly clock: Clock
  readonly chain: AuditChain
}

/**
 * Makes links for records, in every instance: whichever comes first takes what is there. The head goes to the log now
 * and then, because a log that is kept elsewhere shows later what the chain was.
 */
export function createChainer<Tables>(context: ChainerContext<Tables>): Pick<Worker, 'start' | 'wake' | 'stop'> {
  const { store, logger, clock, chain } = context
  let nextTold = clock()
  const tell = async () => {
    nextTold = plus(clock(), HOUR)
    logger.info(await headOf(store.db), 'the head of the audit chain')
  }
  const sweep = async (): Promise<boolean> => {
    const isMore = await continueChain(context)
    if (!isMore && clock() >= nextTold) await tell()
    return isMore
  }
  const worker = sweeper(context, { name: 'continuation of the audit chain', every: EVERY }, sweep)
  return {
    ...worker,
    /** Called last, so that what the stop itself recorded has its link. */
    async stop() {
      await worker.stop()
      while (await continueChain({ store, chain }));
      await tell()
    },
  }
}

/** Makes one batch of links; false when there is nothing to do. Nothing is locked to find that out. */
const continueChain = async <Tables>({
  store,
  chain,
}: Pick<ChainerContext<Tables>, 'store' | 'chain'>): Promise<boolean> =>
  (await chain.isWaiting(store.db)) && (await store.transaction((tx) => chain.append(tx))) > 0

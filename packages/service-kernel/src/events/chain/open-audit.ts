import type { Logger } from 'pino'
import { type Clock, MINUTE, SECOND } from '../../clock/index.ts'
import { lasting, type Readiness } from '../../health/index.ts'
import { defineMetrics, type Metrics } from '../../metrics/index.ts'
import type { Secrets } from '../../secrets/index.ts'
import type { Store } from '../../store/index.ts'
import { AuditChain } from './audit-chain.ts'
import { triedAuditKey } from './audit-key.ts'
import type { ChainedKind } from './chained-kind.ts'
import { createChainer } from './chainer.ts'

/** From here on the chain is late: the chainer looks every few seconds. */
const LATE = MINUTE / SECOND

interface AuditContext<Tables> {
  readonly store: Store<Tables>
  readonly logger: Logger
  readonly clock: Clock
  readonly secrets: Secrets
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly closing: { add(what: string, close: () => Promise<void>): void }
}

/** The audit of a service that is being started. */
export interface OpenedAudit {
  readonly chain: AuditChain
  /** Begins to make links; called when the service is built. */
  start(): void
}

/** Opens the audit of a service: its chain, the worker that continues and signs it, how far it lags as a metric and a check. */
export function openAudit<Tables>(
  context: AuditContext<Tables>,
  { kinds, checkpointMinutes }: { readonly kinds: readonly ChainedKind[]; readonly checkpointMinutes: number },
): OpenedAudit {
  const { store, clock, closing } = context
  const chain = new AuditChain({ kinds, clock })
  if (kinds.length === 0) return { chain, start: () => undefined }
  const chainer = createChainer({ ...context, chain, checkpointEvery: checkpointMinutes * MINUTE })
  // Opened right after the store, so that it stops after everybody who records something at the end.
  closing.add('the audit chain', () => chainer.stop())
  const lag = () => chain.lagSeconds(store.db)
  measure(context.metrics, lag)
  // Not a reason to take no more work: what waits for its link is recorded.
  context.readiness.add('audit-chain', () => lagCheck(lag), { gates: false })
  const { secrets, readiness } = context
  const tried = lasting(() => triedAuditKey({ db: store.db, secrets }), { clock })
  readiness.add('signing-key:audit-chain', tried, { gates: false })
  return { chain, start: () => chainer.start() }
}

function measure({ registry, prefix }: Metrics, lag: () => Promise<number>): void {
  const name = `${prefix}audit_chain_lag_seconds`
  const help = 'Age of the oldest record without a link in the audit chain, in seconds.'
  defineMetrics(registry, { [name]: { type: 'gauge', help } })[name]!.measure(lag)
}

async function lagCheck(lag: () => Promise<number>) {
  const seconds = Math.floor(await lag())
  if (seconds <= LATE) return { ok: true, detail: 'The audit chain has every record, or will within seconds.' }
  return { ok: false, detail: `The oldest record has waited ${seconds} s for its link in the audit chain.` }
}

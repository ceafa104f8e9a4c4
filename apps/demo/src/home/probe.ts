import type { AnswerOf, compactRoutes } from '@chancela/batch-signer/contract'
import type { AnonymousVerdict } from '@chancela/service-kernel/health'
import type { ServiceView } from './contract.ts'

/** The state that a running surface reports over HTTP, as any monitor would read it. */
export type Probe = Pick<ServiceView, 'state' | 'checks'>

/** Bodies a surface may answer with: readiness of the kernel or of the compact variant, or liveness alone. */
type Answer = AnonymousVerdict | AnswerOf<typeof compactRoutes.ready> | { readonly ready?: never; checks?: never }

/** How long a service may take to answer before the page calls it degraded. */
const PATIENCE_MS = 2_000

/** Asks a surface whether it is ready; degraded when it answers no or does not answer. */
export async function probe(readyUrl: string): Promise<Probe> {
  try {
    const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(PATIENCE_MS) })
    // An operator may put readiness behind the key: the service answers, without details.
    if (answer.status === 401) return { state: 'running', checks: [] }
    return verdictOf(answer.ok, (await answer.json()) as Answer)
  } catch {
    // This process started it, so no answer means a failure, not absence.
    return silent
  }
}

const silent: Probe = { state: 'degraded', checks: [{ name: 'answers', ok: false }] }

function verdictOf(isOk: boolean, { ready, checks }: Answer): Probe {
  if (ready === undefined) return isOk ? { state: 'running', checks: [] } : silent
  return { state: ready ? 'running' : 'degraded', checks: checksOf(checks) }
}

/** The compact variant lists its checks by name, each `ok` or `fail: ` and the reason. */
const checksOf = (checks: AnonymousVerdict['checks'] | Readonly<Record<string, string>>): Probe['checks'] =>
  Array.isArray(checks)
    ? checks.map(({ name, ok }) => ({ name, ok }))
    : Object.entries(checks).map(([name, said]) => ({ name, ok: said === 'ok' }))

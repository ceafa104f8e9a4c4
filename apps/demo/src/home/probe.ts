import type { AnswerOf, compactRoutes } from '@chancela/batch-signer/contract'
import type { AnonymousVerdict } from '@chancela/service-kernel/health'
import type { ServiceView } from './contract.ts'

/** What a running surface says of itself over HTTP, as any monitor would ask. */
export type Probe = Pick<ServiceView, 'state' | 'checks'>

/** What a surface may answer: readiness in the kernel's words or in those of the compact variant, or liveness alone. */
type Answer = AnonymousVerdict | AnswerOf<typeof compactRoutes.ready> | { readonly ready?: never; checks?: never }

/** How long a service may take to answer before the page calls it degraded. */
const PATIENCE_MS = 2_000

/** Asks a surface whether it is ready; a service that is up but says no is degraded, one that does not answer too. */
export async function probe(readyUrl: string): Promise<Probe> {
  try {
    const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(PATIENCE_MS) })
    // An operator may put readiness behind the key: it answers, and says no more.
    if (answer.status === 401) return { state: 'running', checks: [] }
    return verdictOf(answer.ok, (await answer.json()) as Answer)
  } catch {
    // It was started by this process, so silence means trouble, not absence.
    return silent
  }
}

const silent: Probe = { state: 'degraded', checks: [{ name: 'answers', ok: false }] }

function verdictOf(isOk: boolean, { ready, checks }: Answer): Probe {
  if (ready === undefined) return isOk ? { state: 'running', checks: [] } : silent
  return { state: ready ? 'running' : 'degraded', checks: checksOf(checks) }
}

/** The compact variant tells its checks by name, each `ok` or `fail: ` and the reason. */
const checksOf = (checks: AnonymousVerdict['checks'] | Readonly<Record<string, string>>): Probe['checks'] =>
  Array.isArray(checks)
    ? checks.map(({ name, ok }) => ({ name, ok }))
    : Object.entries(checks).map(([name, said]) => ({ name, ok: said === 'ok' }))

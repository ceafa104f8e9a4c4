import type { ServiceView } from './contract.ts'

/** What a running surface says of itself over HTTP, as any monitor would ask. */
export type Probe = Pick<ServiceView, 'state' | 'checks'>

/** How long a service may take to answer before the page calls it degraded. */
const PATIENCE_MS = 2_000

/** Asks a surface whether it is ready; a service that is up but says no is degraded, one that does not answer too. */
export async function probe(readyUrl: string): Promise<Probe> {
  try {
    const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(PATIENCE_MS) })
    const { ready, checks } = (await answer.json()) as { ready: boolean; checks: Probe['checks'] }
    return { state: ready ? 'running' : 'degraded', checks: checks.map(({ name, ok }) => ({ name, ok })) }
  } catch {
    // It was started by this process, so silence means trouble, not absence.
    return { state: 'degraded', checks: [{ name: 'answers', ok: false }] }
  }
}

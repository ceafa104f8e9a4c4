import type { CloudHubSettings } from '../settings.ts'
import type { Provider } from './provider.ts'
import { ProviderProblem } from './provider-problem.ts'

/**
 * What one of many providers answers, or nothing when it fails or takes too long: the others must not wait for it. The
 * adapter has told the log.
 */
export async function soonEnough<T>(
  { discoveryMilliseconds }: Provider,
  { Discovery }: Pick<CloudHubSettings, 'Discovery'>,
  ask: (deadline: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const deadline = AbortSignal.timeout(discoveryMilliseconds ?? Discovery.TimeoutMilliseconds)
  try {
    return await before(deadline, ask(deadline))
  } catch (error) {
    if (error instanceof ProviderProblem || deadline.aborted) return undefined
    throw error
  }
}

/** What work comes to, unless the signal fires before: not every step of a provider heeds a signal. */
function before<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(deadline.reason)
    deadline.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => deadline.removeEventListener('abort', stop))
  })
}

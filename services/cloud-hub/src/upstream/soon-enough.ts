import type { CloudHubSettings } from '../settings.ts'
import type { Provider } from './provider.ts'
import { ProviderProblem } from './provider-problem.ts'

/**
 * The answer of one of many providers, or undefined when it fails or is too slow: the others must not wait for it. The
 * adapter logs the failure.
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

/** The result of the work, unless the signal is aborted first: not every provider step observes the signal. */
function before<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(deadline.reason)
    deadline.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => deadline.removeEventListener('abort', stop))
  })
}

import { FrameworkProblem } from '@chancela/service-kernel/errors'
import type { App } from '@chancela/service-kernel/http'
import type { InstanceLease } from '@chancela/service-kernel/store'

/**
 * Refuses calls once another process may have taken the store over, as after this one was frozen: until the next count
 * says who holds the lease, both would work. The paths given answer all the same.
 */
export function refuseUnlessOnly(app: App, lease: Pick<InstanceLease, 'isHeld'>, open: readonly string[]): void {
  app.addHook('onRequest', async ({ routeOptions: { url = '' } }) => {
    if (lease.isHeld() || open.includes(url)) return
    throw new FrameworkProblem('store-unreachable', { headers: { 'retry-after': '5' } })
  })
}

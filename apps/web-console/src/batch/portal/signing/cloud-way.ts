import type { CloudOffer } from '../../../shared/signing/offers.ts'
import { beginCloud } from '../api/portal-calls.ts'
import { rememberRest } from './rest-of-batch.ts'
import type { SigningTask } from './signing-way.ts'

/**
 * A certificate at a provider: one sign-in there signs the whole batch, and the browser comes back to the lists, which
 * tell what became of each file. Nothing is approved before, also of what needs no signature.
 */
export function cloudWay({ approver, files, others, reason }: SigningTask): CloudOffer | undefined {
  if (!approver.signatureWays.includes('cloud')) return undefined
  return {
    way: 'cloud',
    async begin() {
      const ids = files.map(({ jobId }) => jobId)
      const { id, url } = await beginCloud(ids, reason())
      rememberRest(id, others)
      return url
    },
    windowAddress: '/approvals',
  }
}

import type { TokenOffer } from '../../../shared/signing/offers.ts'
import { beginToken, cancelSigning, lookSigning } from '../api/portal-calls.ts'
import { outcomesIn } from './outcomes-in.ts'
import type { SigningTask } from './signing-way.ts'

/** As many as the agent of a workstation shows, and signs, at once. */
const MOST_FILES = 100

/** A token at a computer whose agent asks its holder: one PIN there signs the whole batch. */
export function tokenWay({ approver, files, reason, record }: SigningTask): TokenOffer | undefined {
  if (!approver.signatureWays.includes('token') || files.length > MOST_FILES) return undefined
  return {
    way: 'token',
    knowsHolder: true,
    begin: () =>
      beginToken(
        files.map(({ jobId }) => jobId),
        reason(),
      ),
    async look(id) {
      const signing = await lookSigning(id)
      const { state, outcome } = signing
      if (outcome !== 'done') return { state, outcome }
      record(outcomesIn(signing))
      return { state, outcome: 'signed' }
    },
    cancel: cancelSigning,
  }
}

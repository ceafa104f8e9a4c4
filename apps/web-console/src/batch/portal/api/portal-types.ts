import type {
  AnswerOf,
  beginCloudSigning,
  beginFactor,
  beginSignature,
  beginTokenSigning,
  completeSignature,
  decideApproval,
  listOwnSessions,
  listPortal,
  lookSigning,
  readApprover,
  readPortalJob,
  rejectOne,
  verifyFactor,
} from '@chancela/batch-signer/contract'
import type { Payment } from '../../api/types.ts'

/** The lists of the portal, in the order they are shown. */
export const portalLists = ['needs-you', 'waiting-on-others', 'decided'] as const

export type PortalListName = (typeof portalLists)[number]

export type Approver = AnswerOf<typeof readApprover>
export type OwnSessions = AnswerOf<typeof listOwnSessions>
export type PortalList = AnswerOf<typeof listPortal>
/** A file that waits or waited for approval. */
export type PortalRow = PortalList['items'][number]
type ReadFile = AnswerOf<typeof readPortalJob>
/** The same with its payments; the contract leaves their lines open, since each bank fills in other fields. */
export type PortalFile = Omit<ReadFile, 'payments'> & { readonly payments: readonly Payment[] | null }
export type PoolMember = PortalFile['pool'][number]
export type BegunFactor = AnswerOf<typeof beginFactor>
export type FactorVerdict = AnswerOf<typeof verifyFactor>
export type BegunSignature = AnswerOf<typeof beginSignature>
export type CompletedSignature = AnswerOf<typeof completeSignature>
export type BegunCloud = AnswerOf<typeof beginCloudSigning>
export type BegunToken = AnswerOf<typeof beginTokenSigning>
/** A request to a key that is not in the browser, with what became of each file. */
export type Signing = AnswerOf<typeof lookSigning>
/** What became of one file that somebody meant to approve. */
export type Decided = NonNullable<CompletedSignature['approved']>
export type Rejection = AnswerOf<typeof rejectOne>
export type StatedDecision = AnswerOf<typeof decideApproval>

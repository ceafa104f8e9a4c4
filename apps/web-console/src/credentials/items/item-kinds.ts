// The kinds of documents that have pages: their states, their files, and what may be done with them in which state.
import type { ItemStatus } from '../api/types.ts'
import type { Restricted } from '../parts/rights.ts'

export type ItemResource = 'degrees' | 'emissions' | 'registrations' | 'academic-transcripts' | 'curriculums'

export interface ItemAct {
  readonly name: 'accept' | 'approve' | 'reject' | 'annul' | 'suspend' | 'restore' | 'cancel'
  /** Where it is posted, below the item. */
  readonly path: string
  readonly from: readonly ItemStatus[]
  /** What has to be said: nothing, a reason, or one of the layout's reasons besides. */
  readonly asks?: 'reason' | 'cancellationReason'
  /** Sent besides. */
  readonly body?: object
  readonly danger?: boolean
  /** The right it needs, where not everybody has it. */
  readonly needs?: Restricted
}

export interface ItemKind {
  /** As audit events name it. */
  readonly entity: 'Degree' | 'Emission' | 'Registration' | 'AcademicTranscript' | 'Curriculum'
  readonly statuses: readonly ItemStatus[]
  readonly files: readonly ('xml' | 'academic-documentation' | 'public-xml')[]
  /** How it looks, where it has a visual representation. */
  readonly representation?: 'rvdd' | 'rvhe' | 'rvce'
  /** Whether students keep it in wallets. */
  readonly isForWallets?: boolean
  readonly acts: readonly ItemAct[]
}

const cancellation = { path: 'cancellation', asks: 'reason', danger: true } as const

const annulment = { name: 'annul', path: 'cancellation', asks: 'cancellationReason', danger: true } as const

export const itemKinds: Readonly<Record<ItemResource, ItemKind>> = {
  degrees: {
    entity: 'Degree',
    statuses: ['Pending', 'Concluded', 'CanceledTemporarily', 'Canceled'],
    files: ['academic-documentation', 'public-xml'],
    representation: 'rvdd',
    isForWallets: true,
    acts: [
      { name: 'suspend', ...cancellation, body: { temporary: true }, from: ['Concluded'] },
      { name: 'restore', path: 'restoration', asks: 'reason', from: ['CanceledTemporarily'] },
      { name: 'cancel', ...cancellation, from: ['Pending'] },
      { ...annulment, from: ['Concluded', 'CanceledTemporarily'], needs: 'documents.annul' },
    ],
  },
  emissions: {
    entity: 'Emission',
    statuses: ['Created', 'Signed', 'SentToRegistry', 'Registered', 'Canceled'],
    files: ['academic-documentation'],
    acts: [
      { name: 'cancel', ...cancellation, from: ['Created', 'Signed', 'SentToRegistry'] },
      { name: 'restore', path: 'restoration', asks: 'reason', from: ['Canceled'] },
    ],
  },
  registrations: {
    entity: 'Registration',
    statuses: ['AwaitingAcceptance', 'Accepted', 'Approved', 'Rejected', 'Registered', 'Signed', 'Canceled'],
    files: ['academic-documentation', 'public-xml'],
    acts: [
      { name: 'accept', path: 'acceptance', from: ['AwaitingAcceptance'] },
      { name: 'approve', path: 'approval', from: ['Accepted'] },
      {
        name: 'reject',
        path: 'rejection',
        asks: 'reason',
        danger: true,
        from: ['AwaitingAcceptance', 'Accepted', 'Approved'],
      },
      { name: 'cancel', ...cancellation, from: ['AwaitingAcceptance', 'Accepted', 'Approved', 'Registered'] },
      { ...annulment, from: ['Signed'], needs: 'registrations.annul' },
    ],
  },
  'academic-transcripts': {
    entity: 'AcademicTranscript',
    statuses: ['Pending', 'Concluded', 'CanceledTemporarily', 'Canceled'],
    files: ['xml'],
    representation: 'rvhe',
    isForWallets: true,
    acts: [
      { name: 'suspend', ...cancellation, body: { temporary: true }, from: ['Concluded'] },
      { name: 'restore', path: 'restoration', asks: 'reason', from: ['CanceledTemporarily'] },
      { name: 'cancel', ...cancellation, from: ['Pending', 'Concluded', 'CanceledTemporarily'] },
    ],
  },
  curriculums: {
    entity: 'Curriculum',
    statuses: ['Pending', 'Concluded', 'Canceled'],
    files: ['xml'],
    representation: 'rvce',
    acts: [{ name: 'cancel', ...cancellation, from: ['Pending', 'Concluded'] }],
  },
}

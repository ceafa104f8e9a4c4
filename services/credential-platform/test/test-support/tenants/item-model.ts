// What becomes of items of two organizations, some of which are partners' in one exchange: written down a second time and
// apart from the service, as the roles are.
import { type Actor, roleAt, type Verdict } from './model.ts'

export type ItemKind =
  | 'Degree'
  | 'Emission'
  | 'Registration'
  | 'AcademicTranscript'
  | 'Curriculum'
  | 'CancellationList'
  | 'InspectionFile'
  | 'Restamp'

export interface Item {
  readonly id: string
  readonly kind: ItemKind
  readonly place: number
  /** Its institution. */
  readonly instituteId: string
  status: string
  /** Of an emission, to return to. */
  before?: string
  /** Of an emission that is at a registrar. */
  registrationStatus?: string
  /** The other side of an exchange. */
  partner?: Item
  acceptedBy?: string
}

export interface Act {
  readonly path: string
  readonly body?: object
  readonly from: readonly string[]
  readonly to: string
  /** States in which it is final, and for whoever decides alone. */
  readonly finalFrom?: readonly string[]
  /** For whoever decides alone, whatever the state. */
  readonly isDecided?: boolean
}

const reason = 'Conferido'
const suspend: Act = {
  path: 'cancellation',
  body: { temporary: true, reason },
  from: ['Concluded'],
  to: 'CanceledTemporarily',
}
const restore: Act = { path: 'restoration', body: { reason }, from: ['CanceledTemporarily'], to: 'Concluded' }
const cancel: Act = {
  path: 'cancellation',
  body: { reason },
  from: ['Pending', 'Concluded', 'CanceledTemporarily'],
  to: 'Canceled',
  finalFrom: ['Concluded', 'CanceledTemporarily'],
}
const open = ['AwaitingAcceptance', 'Accepted', 'Approved']

export const acts: Readonly<Record<ItemKind, readonly Act[]>> = {
  Degree: [suspend, restore],
  AcademicTranscript: [suspend, restore, cancel],
  Curriculum: [{ ...cancel, from: ['Pending', 'Concluded'] }],
  Emission: [
    { path: 'cancellation', body: { reason }, from: ['Created', 'Signed', 'SentToRegistry'], to: 'Canceled' },
    { path: 'restoration', body: { reason }, from: ['Canceled'], to: 'before' },
  ],
  Registration: [
    { path: 'acceptance', from: ['AwaitingAcceptance'], to: 'Accepted' },
    { path: 'approval', from: ['Accepted'], to: 'Approved' },
    { path: 'rejection', body: { reason }, from: open, to: 'Rejected' },
    { path: 'cancellation', body: { reason }, from: open, to: 'Canceled' },
  ],
  CancellationList: [],
  InspectionFile: [],
  Restamp: [{ path: 'retry', from: ['ApplyingError'], to: 'Scheduled', isDecided: true }],
}

/** Who may not ask is told that first, then what there is not, then what the state forbids. */
export function actVerdict(actor: Actor, place: number, item: Item, act: Act): Verdict {
  const role = roleAt(actor, place)
  if (role === undefined || (act.isDecided && role === 'Gerente')) return 'forbidden'
  if (item.place !== place) return 'unknown'
  if (role === 'Gerente' && act.finalFrom?.includes(item.status)) return 'forbidden'
  if (act.path === 'approval' && item.acceptedBy === actor.name) return 'conflict'
  return act.from.includes(item.status) ? 'ok' : 'conflict'
}

/** What was done, on both sides. */
export function apply(actor: Actor, item: Item, { path, to }: Act): void {
  const former = item.status
  item.status = to === 'before' ? item.before! : to
  if (path === 'acceptance') item.acceptedBy = actor.name
  if (item.kind === 'Emission' && to === 'Canceled') endRequest(item, former)
  if (item.kind === 'Registration' && item.partner) mirror(item, item.partner)
}

/** The issuer's cancellation takes the request back, where it is open. */
function endRequest(emission: Item, former: string): void {
  emission.before = former
  const { partner } = emission
  if (!partner || !open.includes(partner.status)) return
  partner.status = 'Canceled'
  emission.registrationStatus = 'Canceled'
}

/** The registrar's acts are seen by the issuer; a cancellation cancels. */
function mirror({ status }: Item, emission: Item): void {
  emission.registrationStatus = status
  if (status !== 'Canceled' || emission.status === 'Canceled') return
  emission.before = emission.status
  emission.status = 'Canceled'
}

import { createHash } from 'node:crypto'
import { type Clock, MINUTE, plus } from '@chancela/service-kernel/clock'
import { SecretProblem, type Secrets } from '@chancela/service-kernel/secrets'
import type { ErrorCode } from '../../contract/errors.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Agent } from '../../rules/vocabulary.ts'
import type { ParticipantRow } from '../../store/tables.ts'

/**
 * A sealed ticket states what its bearer may do: issuing one writes nothing, nobody else can forge one, and its grant
 * ends with the object it is about. Each kind is sealed for its own context, so that one is never accepted as another.
 */
interface TicketKinds {
  /** A participant's action on a document. */
  readonly action: {
    readonly documentId: string
    readonly participantId: string
    readonly needsEmail: boolean
    /** Of the participant's address at that time; absent from those of earlier versions. */
    readonly addressStamp?: string
    readonly revocations?: number
    /** Who asked for it; nothing for one that was sent to the participant by e-mail. */
    readonly by?: Agent
  }
  /** The bytes of a document in one form, an attachment, or an upload; for the participant who is named, if any. */
  readonly content: {
    readonly documentId?: string
    readonly type: string
    readonly id?: string
    readonly participantId?: string
    readonly addressStamp?: string
    /** Of the participant; or of the document, in a mail that goes to several people. */
    readonly revocations?: number
  }
  /** The address of a user who was added by an organization: its owner chooses the password. */
  readonly invitation: { readonly organizationId: string; readonly contactId: string; readonly email: string }
  /** The account whose address a link was sent to; the stamp is of the password that it replaces. */
  readonly passwordReset: { readonly accountId: string; readonly stamp: string }
  /** A report over a time. */
  readonly report: { readonly from: string; readonly to: string; readonly organizationId: string | null }
}

/** What ties a ticket to a participant as they are now. */
interface Tie {
  readonly addressStamp?: string
  readonly revocations?: number
}

type Tied = Pick<ParticipantRow, 'email' | 'revocations'>

/** Ends the tickets of a participant whose address is another by now: the former one reads its old mails. */
const addressStamp = ({ email }: Tied): string =>
  createHash('sha256')
    .update(email ?? '')
    .digest('base64url')
    .slice(0, 16)

export const tieTo = (participant: Tied): Required<Tie> => ({
  addressStamp: addressStamp(participant),
  revocations: participant.revocations,
})

/** Whether a ticket was made for the address that the participant still has, and was not revoked since. */
export const isStillTied = (ticket: Tie, participant: Tied): boolean =>
  (ticket.addressStamp === undefined || ticket.addressStamp === addressStamp(participant)) &&
  (ticket.revocations ?? 0) === participant.revocations

export type TicketKind = keyof TicketKinds

export class Tickets {
  readonly #secrets: Secrets
  readonly #clock: Clock

  constructor(secrets: Secrets, clock: Clock) {
    this.#secrets = secrets
    this.#clock = clock
  }

  make<Kind extends TicketKind>(kind: Kind, allowed: TicketKinds[Kind], minutes: number): string {
    const until = plus(this.#clock(), minutes * MINUTE).getTime()
    return this.#secrets.seal(JSON.stringify([until, allowed]), `ticket ${kind}`)
  }

  /** What the ticket allows; refused when it is none, of another kind, or has expired. */
  read<Kind extends TicketKind>(
    kind: Kind,
    ticket: string,
    code: ErrorCode = 'ActionTicketInvalidOrExpired',
  ): TicketKinds[Kind] {
    const { allowed, until } = this.open(kind, ticket, code)
    if (this.#clock() > until) throw refuse(code)
    return allowed
  }

  /** The same for one that may have expired, and until when it was or is good. */
  open<Kind extends TicketKind>(
    kind: Kind,
    ticket: string,
    code: ErrorCode = 'ActionTicketInvalidOrExpired',
  ): { readonly allowed: TicketKinds[Kind]; readonly until: Date } {
    const [until, allowed] = this.#open(kind, ticket, code)
    return { allowed, until: new Date(until) }
  }

  #open<Kind extends TicketKind>(kind: Kind, ticket: string, code: ErrorCode): [number, TicketKinds[Kind]] {
    try {
      return JSON.parse(this.#secrets.openText(ticket, `ticket ${kind}`))
    } catch (error) {
      if (error instanceof SecretProblem) throw refuse(code, undefined, error)
      throw error
    }
  }
}

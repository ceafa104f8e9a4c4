import type { Transaction } from 'kysely'
import type { Member } from '../../store/member-reads.ts'
import type { AccountRow, DocumentRow, FlowStep, OrganizationRow, ParticipantRow, Tables } from '../../store/tables.ts'

type Tx = Transaction<Tables>

/** E-mail notifications: queued in the transaction of the change, sent after its commit. */
export interface Notices {
  /** False when the instance sends no e-mail: codes cannot be requested. */
  readonly enabled: boolean
  /** Mails for actions that have just become pending. */
  pending(tx: Tx, document: DocumentRow, steps: readonly FlowStep[], now: Date): Promise<void>
  reminder(tx: Tx, document: DocumentRow, step: FlowStep, now: Date): Promise<void>
  refused(tx: Tx, document: DocumentRow, by: string, reason: string, now: Date): Promise<void>
  concluded(tx: Tx, document: DocumentRow, now: Date): Promise<void>
  canceled(tx: Tx, document: DocumentRow, reason: string, now: Date): Promise<void>
  expired(tx: Tx, document: DocumentRow, now: Date): Promise<void>
  /** The code that authenticates an electronic signature. */
  code(
    tx: Tx,
    document: DocumentRow,
    step: FlowStep,
    participant: ParticipantRow,
    code: string,
    now: Date,
  ): Promise<void>
  /** All pending actions of a person. */
  summary(tx: Tx, organizationId: string, email: string, now: Date): Promise<void>
  /** To a user who was added: the link proves the address and lets its owner choose a password. */
  invitation(tx: Tx, organization: OrganizationRow, user: Member, now: Date): Promise<void>
  /** To somebody who forgot the password; the stamp makes the link good for the present one alone. */
  passwordReset(tx: Tx, account: AccountRow, stamp: string, now: Date): Promise<void>
  webhookDisabled(tx: Tx, organizationId: string, url: string, reason: string, now: Date): Promise<void>
}

import type { Transaction } from 'kysely'
import type { DocumentRow, FlowStep, ParticipantRow, Tables } from '../../store/tables.ts'

type Tx = Transaction<Tables>

/** Who is told of what by e-mail: written with the change itself, sent when it is durable. */
export interface Notices {
  /** False when the instance sends no e-mail: codes cannot be asked for. */
  readonly enabled: boolean
  /** Actions that wait for their participants from now on. */
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
  /** Everything that waits for a person. */
  summary(tx: Tx, organizationId: string, email: string, now: Date): Promise<void>
  webhookDisabled(tx: Tx, organizationId: string, url: string, reason: string, now: Date): Promise<void>
}

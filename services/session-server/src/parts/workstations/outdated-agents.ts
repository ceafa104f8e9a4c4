// Agents that were enrolled for a channel of before: the administrators are told once of each, and enrol it again.
import Type from 'typebox'
import { Value } from 'typebox/value'
import { CHANNEL } from '../../channel/index.ts'
import type { Context } from '../../context.ts'
import type { WorkstationRow } from '../../store/tables.ts'
import { findWorkstationByKey, noteOutdated } from '../../store/workstations.ts'
import { act } from '../console/audit.ts'

/** What the first text of a program of before says of itself, unproven. */
const Claim = Type.Object({ publicKey: Type.String({ minLength: 43, maxLength: 43 }) })

/** Such a text was no longer. */
const MAX_CLAIM_BYTES = 8_000

export class OutdatedAgents {
  readonly #context: Pick<Context, 'store' | 'events' | 'clock' | 'logger'>

  constructor(context: Pick<Context, 'store' | 'events' | 'clock' | 'logger'>) {
    this.#context = context
  }

  /**
   * Tells of a workstation whose program is still that of before. Nobody has proved to be it, and nothing depends on
   * that: what is told is true of the enrolment, and is told once, whoever comes.
   */
  async tellOfClaim(text: Buffer): Promise<void> {
    const { store, logger } = this.#context
    try {
      const claim = text.length > MAX_CLAIM_BYTES ? undefined : claimIn(text)
      const row = claim && (await findWorkstationByKey(store.db, claim.publicKey))
      if (row && row.revoked_at === null && row.channel !== CHANNEL) await this.tell(row)
    } catch (error) {
      logger.error({ err: store.problem(error) ?? error }, 'an agent of before could not be told of')
    }
  }

  async tell({ id, name }: WorkstationRow): Promise<void> {
    const { store, events, clock, logger } = this.#context
    await store.transaction(async (tx) => {
      if (!(await noteOutdated(tx, id, clock()))) return
      await events.record(tx, act('WorkstationOutdated', 'agent channel', ['workstation', id], { name }))
      logger.warn({ workstationId: id, name }, 'workstation has to be enrolled again with a new code')
    })
  }
}

function claimIn(text: Buffer): { readonly publicKey: string } | undefined {
  try {
    const value: unknown = JSON.parse(text.toString('utf8'))
    return Value.Check(Claim, value) ? value : undefined
  } catch {
    return undefined // no text of an agent
  }
}

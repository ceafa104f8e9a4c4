// Compares a client's PIN with the PIN in use at the holder's workstations, and prompts the holder where none is in
// use.
import { SECOND } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import type { CertificateRow } from '../../store/tables.ts'
import type { OfferAnswer, OfferedPin, PromptAnswer, Workstations } from './workstations.ts'

export type WorkstationAnswer =
  | { readonly kind: 'confirmed'; readonly row: CertificateRow }
  /** From the PIN of every workstation with a certificate. */
  | { readonly kind: 'differs' }
  /** Not compared everywhere: a holder did not answer, or (`offline`) a workstation. Where it was, it differs. */
  | { readonly kind: 'unanswered' | 'offline'; readonly guessed: boolean }

interface Question {
  readonly cpf: string
  readonly pin: string
  /** Name of the client application, for the holder to read. */
  readonly application: string
  /** Window of the session, for the holder to read. */
  readonly sessionSeconds: number
}

/** Longer than the workstation's own timeout, so that the workstation reports it. */
const BEYOND_PROMPT = 5 * SECOND

export class WorkstationPins {
  readonly #workstations: Workstations
  readonly #promptSeconds: number
  readonly #maxPrompts: number
  /** Open prompts. */
  #prompts = 0

  constructor(workstations: Workstations, { Pin }: Context['settings']) {
    this.#workstations = workstations
    this.#promptSeconds = Pin.PromptSeconds
    this.#maxPrompts = Pin.MaxPrompts
  }

  /** Sends the PIN to every workstation with one of the certificates, and prompts the holder where one has none in use. */
  async confirm(rows: readonly CertificateRow[], question: Question, signal: AbortSignal): Promise<WorkstationAnswer> {
    const workstations = this.#workstations
    // Each certificate for itself: a workstation may have several tokens of a holder, not all of them with a PIN in use.
    const all = rows.map((row) => offerOf([row], question.pin))
    const offers = all.filter(({ workstationId }) => workstations.isOnline(workstationId))
    const offered = await firstConfirmed(offers, signal, (offer, given) => workstations.offerPin(offer, given))
    if (offered.confirmed) return offered.confirmed
    const without = offers.filter((_offer, at) => offered.answers[at]?.kind === 'no-pin')
    const asked = byWorkstation(without.flatMap(({ rows }) => rows)).map((own) => offerOf(own, question.pin))
    const prompted = await this.#ask(asked, question, signal)
    if (prompted.confirmed) return prompted.confirmed
    const differing = [
      ...offers.filter((_offer, at) => offered.answers[at]?.kind === 'differs'),
      ...asked.filter((_offer, at) => prompted.answers[at]?.kind === 'differs'),
    ].flatMap(({ rows }) => rows).length
    if (rows.length > 0 && differing === rows.length) return { kind: 'differs' }
    const isAnswered = prompted.answers.every(({ kind }) => kind === 'differs')
    return { kind: isAnswered ? 'offline' : 'unanswered', guessed: differing > 0 }
  }

  async #ask(
    offers: readonly WorkstationOffer[],
    { cpf, application, sessionSeconds }: Question,
    signal: AbortSignal,
  ): Promise<Answers<PromptAnswer>> {
    if (offers.length === 0) return { answers: [] }
    signal.throwIfAborted()
    if (this.#prompts >= this.#maxPrompts) throw refuse('SERVER_BUSY')
    this.#prompts++
    try {
      const seconds = this.#promptSeconds
      const until = AbortSignal.any([signal, AbortSignal.timeout(seconds * SECOND + BEYOND_PROMPT)])
      return await firstConfirmed(offers, until, (offer, given) =>
        this.#workstations.prompt(offer, { cpf, application, seconds, sessionSeconds }, given),
      )
    } finally {
      this.#prompts--
    }
  }
}

/** What is sent to one workstation, and the rows of the certificates it may confirm. */
interface WorkstationOffer extends OfferedPin {
  readonly rows: readonly CertificateRow[]
}

/** Of certificates at one workstation. */
const offerOf = (rows: readonly CertificateRow[], pin: string): WorkstationOffer => ({
  workstationId: rows[0]!.workstation_id!,
  fingerprints: rows.map(({ fingerprint }) => fingerprint),
  pin,
  rows,
})

const byWorkstation = (rows: readonly CertificateRow[]): readonly (readonly CertificateRow[])[] =>
  [...new Set(rows.map(({ workstation_id }) => workstation_id))].map((id) =>
    rows.filter(({ workstation_id }) => workstation_id === id),
  )

interface Answers<Answer> {
  readonly confirmed?: Extract<WorkstationAnswer, { kind: 'confirmed' }>
  /** In the order of the offers; not all of them when one confirmed. */
  readonly answers: readonly Answer[]
}

/** Asks all at once. The first confirmation decides, and the other requests are withdrawn. */
async function firstConfirmed<Answer extends OfferAnswer | PromptAnswer>(
  offers: readonly WorkstationOffer[],
  signal: AbortSignal,
  put: (offer: OfferedPin, signal: AbortSignal) => Promise<Answer>,
): Promise<Answers<Answer>> {
  const decided = new AbortController()
  const given = AbortSignal.any([signal, decided.signal])
  let confirm: (answers: Answers<Answer>) => void = () => {}
  const first = new Promise<Answers<Answer>>((resolve) => {
    confirm = resolve
  })
  const all = Promise.all(
    offers.map(async ({ rows, ...offer }) => {
      const answer = await put(offer, given)
      const row = answer.kind === 'confirmed' && rows.find(({ fingerprint }) => fingerprint === answer.fingerprint)
      if (row) confirm({ confirmed: { kind: 'confirmed', row }, answers: [] })
      return answer
    }),
  )
  try {
    return await Promise.race([first, all.then((answers) => ({ answers }))])
  } finally {
    decided.abort()
    all.catch(() => {})
  }
}

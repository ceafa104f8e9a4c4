import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { SECOND } from '@chancela/service-kernel/clock'
import { KeyedMutex } from '@chancela/service-kernel/concurrency'
import { refuse } from '../../rules/refuse.ts'
import type { DocumentPlatformSettings } from '../../settings.ts'
import type { DocumentRow } from '../../store/tables.ts'

/** Milliseconds before a signature is made again because another instance was quicker: at most, at first and at last. */
const FIRST_PAUSE = 25
const LONGEST_PAUSE = 400

/** While somebody waits for a reservation: milliseconds between two looks whether another instance completed it. */
const LOOK_MS = 250

/** A document as it was read. */
type ReadDocument = Pick<DocumentRow, 'id' | 'revision'>

/** A place of somebody who began a signature with a certificate: in the line, or at its head. */
interface Place {
  /** Ends it. */
  leave(): void
  /** From now on it does not end by itself. */
  keep(): void
  /** What its signature is made from: when that has moved on, nothing is waited for any more. */
  signs(document: ReadDocument): void
}

/**
 * Who signs a document does so one after the other, in the order they came: a signature covers the file with the earlier
 * ones in it, so of two that are made from one file one is made in vain. A signature with a certificate is begun and
 * completed in two calls, between which the document is reserved, but not for long: whoever begins and goes away holds
 * nobody up. All this is a courtesy of one process; what decides is the revision of the document when the act is recorded.
 */
export class SigningTurns {
  readonly #lines = new KeyedMutex()
  /** By participant: who begins anew leaves the place they had, so that nobody has two. */
  readonly #places = new Map<string, Place>()
  readonly #isUnmoved: (document: ReadDocument) => Promise<boolean>
  readonly #waitMs: number
  readonly #reservedMs: number

  constructor(
    {
      SigningWaitSeconds,
      SigningReservationSeconds,
    }: Pick<DocumentPlatformSettings['Documents'], 'SigningWaitSeconds' | 'SigningReservationSeconds'>,
    isUnmoved: (document: ReadDocument) => Promise<boolean>,
  ) {
    this.#isUnmoved = isUnmoved
    this.#waitMs = SigningWaitSeconds * SECOND
    this.#reservedMs = SigningReservationSeconds * SECOND
  }

  /**
   * Signs when nobody else does, and again as long as it answers false: another instance was quicker. It is told whether
   * the document may have moved on. Refused when that takes too long.
   */
  async run(documentId: string, sign: (mayHaveMoved: boolean) => Promise<boolean>): Promise<void> {
    const until = performance.now() + this.#waitMs
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(refuse('DocumentBusy', { documentId })), this.#waitMs)
    const isAlone = !this.#lines.isHeld(documentId)
    const inTurn = async () => {
      clearTimeout(timer)
      for (let lost = 0; !(await sign(lost > 0 || !isAlone)); lost += 1) {
        if (performance.now() > until) throw refuse('DocumentBusy', { documentId })
        await pause(Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** lost))
      }
    }
    try {
      await this.#lines.run(documentId, inTurn, patience.signal)
    } finally {
      clearTimeout(timer)
    }
  }

  /**
   * Reserves the document for a participant who begins to sign, when those before have signed or their time is over; not at
   * all where that takes too long. The document may have moved on meanwhile.
   */
  async reserve(documentId: string, participantId: string): Promise<void> {
    this.leave(participantId)
    if (this.#reservedMs === 0) return
    await new Promise<void>((goOn) => void this.#reserved(documentId, participantId, goOn))
  }

  /** Resolves when the reservation has ended, or has not come about; the participant goes on before. */
  async #reserved(documentId: string, participantId: string, goOn: () => void): Promise<void> {
    const leaving = new AbortController()
    const leave = () => leaving.abort()
    let timer = setTimeout(leave, this.#waitMs)
    let looking: NodeJS.Timeout | undefined
    const place: Place = {
      leave,
      keep: () => clearTimeout(timer),
      signs: (document) => {
        looking = setInterval(() => void this.#look(document, leave), LOOK_MS).unref()
      },
    }
    const hold = async () => {
      clearTimeout(timer)
      timer = setTimeout(leave, this.#reservedMs).unref()
      goOn()
      if (!leaving.signal.aborted) await once(leaving.signal, 'abort')
    }
    this.#places.set(participantId, place)
    try {
      await this.#lines.run(documentId, hold, leaving.signal)
    } catch {
      // It left the line, of itself or because its time was over: what it signs is judged when it is recorded.
      goOn()
    } finally {
      clearTimeout(timer)
      clearInterval(looking)
      if (this.#places.get(participantId) === place) this.#places.delete(participantId)
    }
  }

  /** A reservation that another instance completed ends here, too, where somebody waits for it. */
  async #look(document: ReadDocument, leave: () => void): Promise<void> {
    if (this.#lines.inside(document.id) < 2) return
    // Whether the database can be reached is for those to say who need it.
    if (!(await this.#isUnmoved(document).catch(() => true))) leave()
  }

  /** Says what the signature of a participant is made from. */
  signs(participantId: string, document: ReadDocument): void {
    this.#places.get(participantId)?.signs(document)
  }

  /** Runs what completes the signature of a participant, and ends the reservation with it. */
  async complete<T>(participantId: string, work: () => Promise<T>): Promise<T> {
    this.#places.get(participantId)?.keep()
    try {
      return await work()
    } finally {
      this.leave(participantId)
    }
  }

  /** Ends the reservation of a participant, or the waiting for one. */
  leave(participantId: string): void {
    this.#places.get(participantId)?.leave()
  }
}

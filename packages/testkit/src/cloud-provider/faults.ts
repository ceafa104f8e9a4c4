import type { Operation } from './operations.ts'

/** Mistakes inside an answer that arrives well; whoever makes the answer puts them in. */
const flaws = ['wrong-signature', 'other-certificate', 'bare-digest'] as const

export type Flaw = (typeof flaws)[number]

/** How a call ends instead of well. */
export type Fault =
  /** This answer, and nothing is done. */
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** The right answer, late by so many milliseconds of real time. */
  | { readonly delayMs: number }
  /** The right answer, when this is settled. */
  | { readonly until: Promise<unknown> }
  /** The connection ends before anything is done. */
  | 'drop'
  /** Everything is done, then the connection ends. */
  | 'drop-after-signing'
  /** No answer at all. */
  | 'hang'
  /** 200 with bytes that mean nothing. */
  | 'garbage'
  | Flaw

const kinds: readonly unknown[] = [...flaws, 'drop', 'drop-after-signing', 'hang', 'garbage']

/** Whether a value from outside is a fault. */
export const isFault = (value: unknown): value is Fault =>
  kinds.includes(value) ||
  (typeof value === 'object' &&
    value !== null &&
    [Reflect.get(value, 'status'), Reflect.get(value, 'delayMs')].some(Number.isInteger))

export const flawIn = (fault: Fault | undefined): Flaw | undefined => flaws.find((flaw) => flaw === fault)

/** Faults that wait for the calls they befall, in order. */
export class Faults {
  readonly #waiting = new Map<Operation, Fault[]>()
  readonly #lasting = new Map<Operation, Fault>()

  /** The next call of the operation ends so. Several calls of this wait one behind the other. */
  next(operation: Operation, fault: Fault): void {
    this.#waiting.set(operation, [...(this.#waiting.get(operation) ?? []), fault])
  }

  /** Every call ends so, until it is cleared. */
  always(operation: Operation, fault: Fault): void {
    this.#lasting.set(operation, fault)
  }

  clear(): void {
    this.#waiting.clear()
    this.#lasting.clear()
  }

  /** The fault that befalls this call. */
  take(operation: Operation): Fault | undefined {
    return this.#waiting.get(operation)?.shift() ?? this.#lasting.get(operation)
  }
}

import type { Operation } from './operations.ts'

/** Errors inside an otherwise good response; the code that makes the response puts them in. */
const flaws = ['wrong-signature', 'other-certificate', 'bare-digest'] as const

export type Flaw = (typeof flaws)[number]

/** How a call fails. */
export type Fault =
  /** This response, and nothing is done. */
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** The right response, delayed by so many milliseconds of real time. */
  | { readonly delayMs: number }
  /** The right response, when this is settled. */
  | { readonly until: Promise<unknown> }
  /** The connection is closed before anything is done. */
  | 'drop'
  /** Everything is done, then the connection is closed. */
  | 'drop-after-signing'
  /** No response at all. */
  | 'hang'
  /** 200 with garbage. */
  | 'garbage'
  | Flaw

const kinds: readonly unknown[] = [...flaws, 'drop', 'drop-after-signing', 'hang', 'garbage']

/** Whether an external value is a fault. */
export const isFault = (value: unknown): value is Fault =>
  kinds.includes(value) ||
  (typeof value === 'object' &&
    value !== null &&
    [Reflect.get(value, 'status'), Reflect.get(value, 'delayMs')].some(Number.isInteger))

export const flawIn = (fault: Fault | undefined): Flaw | undefined => flaws.find((flaw) => flaw === fault)

/** Queued faults by operation. */
export class Faults {
  readonly #waiting = new Map<Operation, Fault[]>()
  readonly #lasting = new Map<Operation, Fault>()

  /** Makes the next call of the operation fail like this. Several faults are queued. */
  next(operation: Operation, fault: Fault): void {
    this.#waiting.set(operation, [...(this.#waiting.get(operation) ?? []), fault])
  }

  /** Makes every call fail like this, until it is cleared. */
  always(operation: Operation, fault: Fault): void {
    this.#lasting.set(operation, fault)
  }

  clear(): void {
    this.#waiting.clear()
    this.#lasting.clear()
  }

  /** The fault for this call. */
  take(operation: Operation): Fault | undefined {
    return this.#waiting.get(operation)?.shift() ?? this.#lasting.get(operation)
  }
}

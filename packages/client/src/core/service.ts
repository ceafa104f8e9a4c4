import type { Problem, Refusal } from './errors.ts'
import type { Operation } from './operation.ts'

/** What differs from service to service; its operations are a generated table. */
export interface Service<Name extends string = string> {
  readonly operations: Readonly<Record<Name, Operation>>
  readonly headers: { readonly apiKey: string; readonly correlationId: string }
  /** The error in the text of an answer; nothing where the service would not have written it so. */
  refusalIn(text: string): Refusal | undefined
  /** Whether the contract says that a call refused with this code may be made again. */
  isRetryable(code: string): boolean
  /** Whether the client makes a call again by itself. */
  isRepeated(operation: Operation, problem: Problem): boolean
}

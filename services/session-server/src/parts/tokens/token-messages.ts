// What the service says to the process of a token, and what that answers.
import type { DigestAlgorithm } from '../sessions/live-session.ts'

/** A certificate on the token whose key can sign. */
export interface ShownCertificate {
  readonly der: Uint8Array
  /** Issuers found on the token, nearest first. */
  readonly chain: readonly Uint8Array[]
}

/** Why a PIN was not given to the token, or not accepted; one word for each thing a caller does about it. */
export type PinRefusal = 'wrong' | 'count-low' | 'final-try' | 'locked'

/** Messages to the process; each is answered once. */
export type TokenRequest =
  /** Whether the token is there, and what it shows. A module that hides certificates shows them after `open`. */
  | { readonly do: 'look' }
  /** Logs in, once. `countLow`: although a wrong PIN was tried since the last right one. */
  | { readonly do: 'open'; readonly pin: string; readonly countLow: boolean }
  /** Whether the token is there and logged in. */
  | { readonly do: 'check' }
  | {
      readonly do: 'sign'
      /** Of the certificate. */
      readonly fingerprint: string
      readonly algorithm: DigestAlgorithm
      readonly digest: Uint8Array
    }
  /** Logs out. */
  | { readonly do: 'close' }

export interface TokenAnswers {
  readonly look: { readonly certificates: readonly ShownCertificate[]; readonly countLow: boolean }
  readonly open:
    | { readonly opened: readonly ShownCertificate[]; readonly refused?: never }
    | { readonly refused: PinRefusal }
  readonly check: { readonly isOpen: boolean }
  readonly sign: { readonly signature: Uint8Array }
  readonly close: Record<string, never>
}

/** Which token the process serves; its first message. */
export interface TokenPlan {
  readonly module: string
  readonly token: string | undefined
  /** Signatures of the token at the same time. */
  readonly sessions: number
}

/** `problem`: the token or its module failed; a sentence of the engine, English. */
export type TokenReply = { readonly id: number } & ({ readonly answer: object } | { readonly problem: string })

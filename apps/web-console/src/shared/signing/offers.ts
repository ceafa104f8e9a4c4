// What a page offers to sign with. The component knows certificates, files, codes and waiting; the page knows what is
// signed and how its service is asked.
import type { ReactNode } from 'react'

/** A hash that a key has to sign. */
interface HashToSign {
  /** Base64. */
  readonly hash: string
  /** SHA-256, SHA-384 or SHA-512. */
  readonly digestAlgorithm: string
}

/** A certificate in a file: its key signs in the browser. */
export interface FileOffer {
  readonly way: 'file'
  /** The hashes for a certificate (DER, base64); throws `CertificateRejected` where the service does not take it. */
  prepare(certificate: string): Promise<readonly HashToSign[]>
  /** Called where the key did not sign the hashes. */
  failed?(): void
  /** Takes the signatures, base64, in the order of the hashes. */
  complete(signatures: readonly string[]): Promise<void>
}

/** A certificate kept by a provider: the browser goes there and back. */
export interface CloudOffer {
  readonly way: 'cloud'
  /** The address to go to. */
  begin(): Promise<string>
  /** The same page in a window of its own, for a frame: providers refuse to be framed. */
  readonly windowAddress: string
  /** The person goes on in that window. */
  onElsewhere?(): void
}

/** A token at a computer whose agent has dialled out. No page calls a local port. */
export interface TokenOffer extends TokenRequests<string> {
  readonly way: 'token'
  /** Whether the service knows whom it asks, so that a window may open at the computer by itself. */
  readonly knowsHolder: boolean
  /** Where a computer is tested. */
  readonly testAddress?: string
}

/** A request that is answered at a computer, until it has ended. */
export interface TokenRequests<Outcome> {
  begin(): Promise<BegunRequest>
  look(id: string): Promise<{ readonly state: 'waiting' | 'signing' | 'ended'; readonly outcome: Outcome | null }>
  cancel(id: string): Promise<unknown>
}

export interface BegunRequest {
  readonly id: string
  readonly code: string
  readonly expiresAt: string
}

/** A way that the page brings itself, such as one without a certificate. */
export interface OtherOffer {
  readonly way: 'other'
  readonly label: string
  /** Its form; it calls what it is given when it has signed. */
  form(onSigned: () => void): ReactNode
}

export type Offer = FileOffer | CloudOffer | TokenOffer | OtherOffer

export type Way = Offer['way']

/** What the page knows of the certificate it wants. */
export interface WantedCertificate {
  /** CPF of the person, where the page may know it. */
  readonly cpf: string | null
  /** A certificate type, such as A3. */
  readonly type: string | null
}

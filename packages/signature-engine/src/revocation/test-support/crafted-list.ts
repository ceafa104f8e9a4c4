// Revocation lists that no authority would make, to test the engine's reaction.
import { type Der, explicit, integer, sequence, time } from '../../der/der-writer.ts'
import { algorithmFor, type Crafted, signedBy } from '../../x509/test-support/crafted-certificate.ts'

export interface CraftedList {
  readonly thisUpdate?: Date
  /** Null: none. */
  readonly nextUpdate?: Date | null
  /** The entries of the list; see `entry`. */
  readonly entries?: readonly Der[]
  readonly extensions?: readonly Der[]
}

export function craftList(issuer: Crafted, content: CraftedList = {}): Der {
  const { nextUpdate = new Date('2027-07-01'), entries = [], extensions = [] } = content
  return signedBy(
    issuer.privateKey,
    sequence(
      integer(1),
      algorithmFor(issuer.privateKey),
      issuer.certificate.subject.der,
      time(content.thisUpdate ?? new Date('2027-06-01')),
      nextUpdate ? time(nextUpdate) : undefined,
      entries.length > 0 ? sequence(...entries) : undefined,
      extensions.length > 0 ? explicit(0, sequence(...extensions)) : undefined,
    ),
  )
}

/** One entry; extensions as in certificates. */
export const entry = (serialNumber: Uint8Array, at: Date, ...extensions: Der[]): Der =>
  sequence(integer(serialNumber), time(at), extensions.length > 0 ? sequence(...extensions) : undefined)

// Revocation lists that no authority would make, to test the engine's reaction.
import { readDer } from '../../der/der-value.ts'
import {
  boolean,
  type Der,
  enumerated,
  explicit,
  implicit,
  integer,
  namedBits,
  sequence,
  time,
} from '../../der/der-writer.ts'
import { extensionOids } from '../../x509/oids.ts'
import { algorithmFor, type Crafted, extension, nameOf, signedBy } from '../../x509/test-support/crafted-certificate.ts'

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

/** Where a certificate says that its lists are, or a list what it is about. */
export interface CraftedPoint {
  /** GeneralNames, or under `relative` what stands below the name of the list's issuer. */
  readonly names?: readonly Der[]
  readonly relative?: Readonly<Record<string, string>>
  /** Bits of ReasonFlags. */
  readonly reasons?: readonly number[]
}

const pointName = ({ names, relative }: CraftedPoint): Der | undefined => {
  if (relative) return explicit(0, implicit(1, readDer(nameOf(relative)).members()[0]!.raw))
  return names && explicit(0, implicit(0, sequence(...names)))
}

const flags = (tag: number, reasons: readonly number[] | undefined) => reasons && implicit(tag, namedBits(...reasons))

/** cRLDistributionPoints; `listIssuer`: the name of whoever issues the list there. */
export const pointsOf = (...points: readonly (CraftedPoint & { readonly listIssuer?: Der })[]): Der =>
  extension(
    extensionOids.crlDistributionPoints,
    sequence(
      ...points.map((point) =>
        sequence(
          pointName(point),
          flags(1, point.reasons),
          point.listIssuer && implicit(2, sequence(explicit(4, point.listIssuer))),
        ),
      ),
    ),
  )

/** issuingDistributionPoint. */
export const issuedFor = (point: CraftedPoint & { readonly indirect?: boolean }): Der =>
  extension(
    extensionOids.issuingDistributionPoint,
    sequence(pointName(point), flags(3, point.reasons), point.indirect ? implicit(4, boolean(true)) : undefined),
    true,
  )

/** The critical extension of an entry of an indirect list. */
export const ofIssuer = (name: Der): Der =>
  extension(extensionOids.certificateIssuer, sequence(explicit(4, name)), true)

export const numbered = (number: number): Der => extension(extensionOids.crlNumber, integer(number))

export const changesSince = (number: number): Der => extension(extensionOids.deltaCrlIndicator, integer(number), true)

export const because = (reason: number): Der => extension(extensionOids.crlReason, enumerated(reason))

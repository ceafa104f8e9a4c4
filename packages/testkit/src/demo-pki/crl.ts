import { createCipheriv } from 'node:crypto'
import { HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { type Der, enumerated, explicit, integer, sequence, time, tlv } from '@chancela/signature-engine/der'
import { type IssuedCertificate, serialOf, subjectOf } from './certificate.ts'
import { type RevocationReason, revocationReasons } from './declaration.ts'
import { authorityKeyIdentifier, extension } from './extensions.ts'
import { publicKeyInfo, signatureAlgorithm, signed } from './keys.ts'

export interface Revocation {
  readonly reason: RevocationReason
  readonly at: Date
}

export interface RevocationList {
  readonly der: Buffer
  readonly thisUpdate: Date
  readonly nextUpdate: Date
}

export interface RevocationListContent {
  readonly issuer: IssuedCertificate
  readonly revoked: readonly { certificate: IssuedCertificate; revocation: Revocation }[]
  /** How many revocations of nonexistent certificates to put before the others. */
  readonly fillers: number
  readonly thisUpdate: Date
  /** Validity of the list. */
  readonly hours: number
  /** Must grow from list to list. */
  readonly number: number
}

/** TBSCertList of RFC 5280 §5.1, signed by the authority. */
export async function signRevocationList(content: RevocationListContent, wrong = false): Promise<RevocationList> {
  const { issuer, thisUpdate } = content
  const nextUpdate = plus(thisUpdate, content.hours * HOUR)
  const list = sequence(
    integer(1),
    signatureAlgorithm(issuer.key),
    subjectOf(issuer),
    time(thisUpdate),
    time(nextUpdate),
    revokedCertificates(content),
    explicit(0, sequence(authorityKeyIdentifier(publicKeyInfo(issuer.key)), crlNumber(content.number))),
  )
  return { der: await signed(list, issuer.key, wrong), thisUpdate, nextUpdate }
}

/** Left out altogether when nothing is revoked: the RFC forbids an empty list. */
function revokedCertificates({ issuer, revoked, fillers }: RevocationListContent): Der | undefined {
  const entries = revoked.map(({ certificate, revocation }) => entry(serialOf(certificate), revocation))
  const filling = fillers > 0 ? [fillerEntries(fillers, issuer.x509.validFrom)] : []
  return entries.length + filling.length > 0 ? tlv(0x30, ...filling, ...entries) : undefined
}

const entry = (serial: Uint8Array, { reason, at }: Revocation): Der =>
  sequence(integer(serial), time(at), reason === 'unspecified' ? undefined : sequence(reasonCode(reason)))

// RFC 5280 §5.3.1: "unspecified" is expressed by omission.
const reasonCode = (reason: RevocationReason): Der => extension('2.5.29.21', enumerated(revocationReasons[reason]))

const crlNumber = (number: number): Der => extension('2.5.29.20', integer(number))

/**
 * Many entries at once, in one buffer: one of them is encoded, the others are copies with their own serial number. The
 * numbers look random and are the same every time, so that a list made again has the same certificates.
 */
function fillerEntries(count: number, firstDay: string): Buffer {
  const template = entry(Buffer.alloc(16, 0x40), {
    reason: 'cessationOfOperation',
    at: plus(new Date(firstDay), MINUTE),
  })
  const serialAt = template.indexOf(Buffer.alloc(16, 0x40))
  const entries = Buffer.alloc(template.length * count, template)
  const serials = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(16 * count))
  for (let index = 0; index < count; index++) {
    const serial = serials.subarray(16 * index, 16 * (index + 1))
    // Positive and of full length, so that every entry has the template's size.
    serial[0] = (serial[0]! & 0x3f) | 0x40
    serial.copy(entries, template.length * index + serialAt)
  }
  return entries
}

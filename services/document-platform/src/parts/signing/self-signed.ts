import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto'
import { DAY, plus } from '@chancela/service-kernel/clock'
import {
  bitString,
  boolean,
  type Der,
  explicit,
  integer,
  namedBits,
  nothing,
  octetString,
  oid,
  sequence,
  setOf,
  time,
  utf8String,
} from '@chancela/signature-engine/der'

interface SelfSignedOptions {
  readonly name: string
  readonly publicKey: KeyObject
  /** RSA. */
  readonly privateKey: KeyObject
  readonly from: Date
}

/** Signatures made today are validated for decades. */
const LIFE = 30 * 365 * DAY

const SHA256_WITH_RSA = sequence(oid('1.2.840.113549.1.1.11'), nothing)

/** A self-signed RSA certificate (RFC 5280 §4.1); it can sign documents and nothing else. */
export function selfSigned({ name, publicKey, privateKey, from }: SelfSignedOptions): Buffer {
  const subject = sequence(setOf(sequence(oid('2.5.4.3'), utf8String(name))))
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' })
  const signed = sequence(
    explicit(0, integer(2)),
    integer(serialNumber()),
    SHA256_WITH_RSA,
    subject,
    // Valid from a day earlier, for clocks that are behind.
    sequence(time(plus(from, -DAY)), time(plus(from, LIFE))),
    subject,
    keyInfo,
    explicit(3, sequence(...extensions(keyInfo))),
  )
  return sequence(signed, SHA256_WITH_RSA, bitString(sign('sha256', signed, privateKey)))
}

/** Sixteen random bytes that make a positive number of full length. */
function serialNumber(): Buffer {
  const serial = randomBytes(16)
  serial[0] = (serial[0]! & 0x7f) | 0x40
  return serial
}

const extension = (id: string, critical: boolean, value: Der): Der =>
  sequence(oid(id), critical ? boolean(true) : undefined, octetString(value))

const extensions = (keyInfo: Buffer): readonly Der[] => [
  extension('2.5.29.19', true, sequence()),
  // digitalSignature and nonRepudiation.
  extension('2.5.29.15', true, namedBits(0, 1)),
  extension('2.5.29.14', false, octetString(createHash('sha1').update(keyInfo).digest())),
]

// PKCS#12 of RFC 7292, written in every variant a reader meets.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import {
  bmpString,
  type Der,
  explicit,
  implicit,
  integer,
  nothing,
  octetString,
  oid,
  sequence,
  setOf,
} from '@chancela/signature-engine/der'
import type { IssuedCertificate } from './certificate.ts'
import { deriveByPkcs12, derivedFor, encryptions } from './pkcs12-encryption.ts'
import type { Pkcs12Encryption, Pkcs12Variant } from './pkcs12-variants.ts'

const DATA = '1.2.840.113549.1.7.1'
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6'
const bagTypes = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
} as const
const hashes = {
  sha1: { oid: '1.3.14.3.2.26', length: 20 },
  sha256: { oid: '2.16.840.1.101.3.4.2.1', length: 32 },
} as const

export interface Pkcs12Content {
  readonly holder: IssuedCertificate
  readonly issuers: readonly IssuedCertificate[]
  readonly password: string
  readonly variant: Pkcs12Variant
}

/** A PFX with the certificates in one safe and the key in another, as OpenSSL and Windows write it. */
export function writePkcs12(content: Pkcs12Content): Buffer {
  const safes = sequence(certificateSafe(content), keySafe(content))
  return sequence(integer(3), data(safes), macOver(safes, content))
}

function certificateSafe({ holder, issuers, password, variant }: Pkcs12Content): Der {
  const bags = sequence(
    certificateBag(holder, attributesOf(holder)),
    ...issuers.map((issuer) => certificateBag(issuer)),
  )
  return variant.certificates === 'none' ? data(bags) : encryptedData(bags, variant.certificates, password, variant)
}

/** The key is encrypted in its own bag, so the safe around it is not encrypted. */
function keySafe({ holder, password, variant }: Pkcs12Content): Der {
  const plain = holder.key.privateKey.export({ type: 'pkcs8', format: 'der' })
  if (variant.key === 'none') return data(sequence(bag(bagTypes.key, plain, attributesOf(holder))))
  const { algorithm, content } = encryptions[variant.key](plain, password, variant.iterations)
  const shrouded = sequence(algorithm, octetString(content))
  return data(sequence(bag(bagTypes.shroudedKey, shrouded, attributesOf(holder))))
}

const certificateBag = (certificate: IssuedCertificate, attributes?: Der): Der =>
  bag(
    bagTypes.certificate,
    sequence(oid('1.2.840.113549.1.9.22.1'), explicit(0, octetString(certificate.der))),
    attributes,
  )

const bag = (type: string, value: Der, attributes?: Der): Der => sequence(oid(type), explicit(0, value), attributes)

/** friendlyName and localKeyId: the latter links key and certificate. */
const attributesOf = (holder: IssuedCertificate): Der =>
  setOf(
    sequence(oid('1.2.840.113549.1.9.20'), setOf(bmpString(holder.label))),
    sequence(oid('1.2.840.113549.1.9.21'), setOf(octetString(createHash('sha1').update(holder.der).digest()))),
  )

const data = (content: Der): Der => sequence(oid(DATA), explicit(0, octetString(content)))

function encryptedData(
  plain: Der,
  encryption: Exclude<Pkcs12Encryption, 'none'>,
  password: string,
  { iterations }: Pkcs12Variant,
): Der {
  const { algorithm, content } = encryptions[encryption](plain, password, iterations)
  const encryptedContent = sequence(oid(DATA), algorithm, implicit(0, octetString(content)))
  return sequence(oid(ENCRYPTED_DATA), explicit(0, sequence(integer(0), encryptedContent)))
}

/** The MAC covers the content of the first `data`, without its tag and length. */
function macOver(safes: Der, { password, variant: { mac, iterations } }: Pkcs12Content): Der | undefined {
  if (mac === 'none') return undefined
  const salt = randomBytes(8)
  const key = deriveByPkcs12(mac, password, salt, derivedFor.mac, iterations, hashes[mac].length)
  const digest = createHmac(mac, key).update(safes).digest()
  const digestInfo = sequence(sequence(oid(hashes[mac].oid), nothing), octetString(digest))
  return sequence(digestInfo, octetString(salt), integer(iterations))
}

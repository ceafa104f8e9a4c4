// The certificate extensions of RFC 5280 §4.2, as DOC-ICP-04 §7.1.2.2 requires them.
import { createHash } from 'node:crypto'
import {
  boolean,
  type Der,
  explicit,
  ia5String,
  implicit,
  integer,
  namedBits,
  nothing,
  octetString,
  oid,
  sequence,
} from '@chancela/signature-engine/der'
import { publicKeyBits } from './keys.ts'

const keyUsageBits = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyEncipherment: 2,
  keyAgreement: 4,
  keyCertSign: 5,
  cRLSign: 6,
} as const

const keyPurposes = {
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  OCSPSigning: '1.3.6.1.5.5.7.3.9',
} as const

export type KeyUsage = keyof typeof keyUsageBits
export type KeyPurpose = keyof typeof keyPurposes

/** `critical` is DEFAULT FALSE, so DER omits it unless true. */
export const extension = (type: string, value: Der, critical = false): Der =>
  sequence(oid(type), critical ? boolean(true) : undefined, octetString(value))

/** SHA-1 of the public key, which identifies the key in chains. */
export const keyIdentifier = (spki: Der): Buffer => createHash('sha1').update(publicKeyBits(spki)).digest()

export const subjectKeyIdentifier = (spki: Der): Der => extension('2.5.29.14', octetString(keyIdentifier(spki)))

export const authorityKeyIdentifier = (issuerSpki: Der): Der =>
  extension('2.5.29.35', sequence(implicit(0, octetString(keyIdentifier(issuerSpki)))))

export const basicConstraints = (pathLength: number | undefined): Der =>
  extension('2.5.29.19', sequence(boolean(true), pathLength === undefined ? undefined : integer(pathLength)), true)

export const keyUsage = (...usages: readonly KeyUsage[]): Der =>
  extension('2.5.29.15', namedBits(...usages.map((usage) => keyUsageBits[usage])), true)

/** Critical for a time-stamping certificate (RFC 3161 §2.3), not for the others. */
export const extendedKeyUsage = (purposes: readonly KeyPurpose[]): Der =>
  extension(
    '2.5.29.37',
    sequence(...purposes.map((purpose) => oid(keyPurposes[purpose]))),
    purposes.includes('timeStamping'),
  )

/** One policy, with the address of the practice statement. */
export const certificatePolicies = (policy: string, practiceStatementUrl: string): Der =>
  extension(
    '2.5.29.32',
    sequence(sequence(oid(policy), sequence(sequence(oid('1.3.6.1.5.5.7.2.1'), ia5String(practiceStatementUrl))))),
  )

/** Each address is a distribution point of its own, with the whole list. */
export const crlDistributionPoints = (urls: readonly string[]): Der =>
  extension('2.5.29.31', sequence(...urls.map((url) => sequence(explicit(0, implicit(0, sequence(uri(url))))))))

/** The issuer's certificates first, then OCSP if the issuer has it. */
export const authorityInfoAccess = (issuerUrls: readonly string[], ocspUrl: string | undefined): Der =>
  extension(
    '1.3.6.1.5.5.7.1.1',
    sequence(
      ...issuerUrls.map((url) => sequence(oid('1.3.6.1.5.5.7.48.2'), uri(url))),
      ocspUrl ? sequence(oid('1.3.6.1.5.5.7.48.1'), uri(ocspUrl)) : undefined,
    ),
  )

export const subjectAlternativeName = (names: Der): Der => extension('2.5.29.17', names)

/** RFC 6960 §4.2.2.2.1: clients need not check whether the OCSP signer itself is revoked. */
export const ocspNoCheck: Der = extension('1.3.6.1.5.5.7.48.1.5', nothing)

const uri = (url: string): Der => implicit(6, ia5String(url))

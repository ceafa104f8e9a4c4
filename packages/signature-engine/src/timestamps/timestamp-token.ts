import { contentTypes } from '../cms/oids.ts'
import { readSignedData, type SignedData, type SignerInfo } from '../cms/signed-data.ts'
import { checkSigner, type SignerCheck } from '../cms/signer-checks.ts'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { readDigestIdentifier } from '../crypto/read-identifiers.ts'
import { type DerMembers, readDer } from '../der/der-value.ts'
import { contextConstructed, tags } from '../der/tags.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import { keyPurposes } from '../x509/oids.ts'
import { refuseTimestamp } from './errors.ts'

/** A parsed timestamp of RFC 3161, not yet validated. */
export interface TimestampToken {
  readonly time: Date
  readonly policy: string
  readonly imprint: {
    /** Undefined when the engine does not know the algorithm. */
    readonly digest: DigestName | undefined
    readonly algorithm: string
    readonly value: Buffer
  }
  /** In hexadecimal. */
  readonly serialNumber: string
  /** INTEGER in its original bytes. */
  readonly nonce: Buffer | undefined
  /** How far off the time may be; undefined when the authority does not say. */
  readonly accuracyMs: number | undefined
  readonly certificates: readonly Certificate[]
  readonly signedData: SignedData
  readonly signer: SignerInfo
}

/** Reads a token: ContentInfo(SignedData) over a TSTInfo, with exactly one signer. */
export function readTimestampToken(token: Uint8Array): TimestampToken {
  requireArguments('readTimestampToken', { token: [token, 'bytes'] })
  try {
    return tokenOf(readSignedData(token))
  } catch (error) {
    if (!(error instanceof EngineError) || error.code.startsWith('timestamp.')) throw error
    throw refuseTimestamp('timestamp.malformed', { reason: error.message }, error)
  }
}

/** Whether the authority's own signature is valid: attributes, certificate binding, signature value. */
export function checkTokenSignature(
  { signer, signedData }: TimestampToken,
  further: readonly Certificate[] = [],
): SignerCheck {
  return checkSigner(signer, {
    contentType: contentTypes.timestampInfo,
    contentDigest: (name) => digest(name, signedData.content!),
    certificates: [...signedData.certificates, ...further],
  })
}

/** RFC 3161 §2.3: the key is only for time stamping, and the extension is critical. */
export function isForTimestamping({ extensions }: Certificate): boolean {
  const purposes = extensions.extendedKeyUsage
  return purposes?.length === 1 && purposes[0] === keyPurposes.timeStamping && extensions.extendedKeyUsageCritical
}

function tokenOf(signedData: SignedData): TimestampToken {
  const { contentType, content, signers, certificates } = signedData
  if (contentType !== contentTypes.timestampInfo || !content) {
    throw refuseTimestamp('timestamp.malformed', { reason: 'it holds no TSTInfo.' })
  }
  const [signer, ...others] = signers
  if (!signer || others.length > 0) {
    throw refuseTimestamp('timestamp.malformed', { reason: 'it must have exactly one signer.' })
  }
  return { ...timestampInfo(content), certificates, signedData, signer }
}

/** TSTInfo of RFC 3161 §2.4.2. */
function timestampInfo(content: Buffer): Omit<TimestampToken, 'certificates' | 'signedData' | 'signer'> {
  const fields = readDer(content).sequence()
  fields.next(tags.integer)
  const policy = fields.next().oid()
  const imprint = messageImprint(fields.next().sequence())
  const serialNumber = fields.next().integer().toString('hex')
  const time = fields.next(tags.generalizedTime).time()
  const accuracyMs = fields.optional(tags.sequence)?.sequence()
  fields.optional(tags.boolean)
  const nonce = fields.optional(tags.integer)?.raw
  fields.optional(contextConstructed(0))
  fields.optional(contextConstructed(1))
  fields.end()
  return { time, policy, imprint, serialNumber, nonce, accuracyMs: accuracyMs && milliseconds(accuracyMs) }
}

function messageImprint(fields: DerMembers): TimestampToken['imprint'] {
  const identifier = fields.next()
  const value = fields.next().octets()
  fields.end()
  return { algorithm: identifier.sequence().next().oid(), digest: readDigestIdentifier(identifier), value }
}

// Accuracy: seconds INTEGER, millis [0], micros [1]; a Date has no microseconds.
function milliseconds(accuracy: DerMembers): number {
  const seconds = accuracy.optional(tags.integer)?.smallInteger() ?? 0
  const millis = accuracy.optional(0x80)?.content ?? Buffer.of(0)
  return seconds * 1_000 + (millis.length > 0 && millis.length <= 2 ? millis.readUIntBE(0, millis.length) : 0)
}

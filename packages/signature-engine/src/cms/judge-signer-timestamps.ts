import type { Hash } from 'node:crypto'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import { failed, notChecked } from '../report/check.ts'
import type { TimestampReport } from '../report/report.ts'
import type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
import { type ImprintOf, judgeTimestamp } from '../timestamps/judge-timestamp.ts'
import { readTimestampToken } from '../timestamps/timestamp-token.ts'
import type { Certificate } from '../x509/certificate.ts'
import {
  archiveImprintsV2,
  archiveImprintV3,
  certificatesImprint,
  referencesImprint,
  type VerifiedIndex,
  verifiedIndex,
} from './archive-timestamp.ts'
import { attributeOids } from './oids.ts'
import { type Attribute, type SignedData, type SignerInfo, valuesOf } from './signed-data.ts'

export interface SignerTimestampsOptions {
  readonly judge: Judge
  readonly now: Date
  readonly contentDigest: (name: DigestName) => Uint8Array | undefined
  /** The start of an archive-time-stamp-v2 imprint (see `archiveImprintsV2`); default: such timestamps cannot be checked. */
  readonly archiveHash?: ((name: DigestName) => Hash | undefined) | undefined
  readonly certificates: readonly Certificate[]
  readonly evidence: RevocationEvidence
  /** The whole signature is known to have existed at this time. */
  readonly latestProof?: Date | undefined
}

interface Found {
  readonly type: string
  readonly kind: TimestampReport['kind']
  readonly token: Buffer
  readonly time: Date
  readonly imprintOf: ImprintOf
  /** For archive timestamps: whether it covers this unsigned attribute value. */
  readonly covers?: (type: string, value: Uint8Array) => boolean
}

/**
 * Every timestamp of one signer, validated from the newest to the oldest: a valid later archive timestamp proves that
 * the ones it covers existed at its time, when their certificates were still good.
 */
export async function judgeSignerTimestamps(
  signedData: SignedData,
  signer: SignerInfo,
  options: SignerTimestampsOptions,
): Promise<TimestampReport[]> {
  const { judge, now, certificates, evidence } = options
  // Times are whole seconds: of two in the same second, the one that covers the other comes first.
  const found = timestampsOf(signedData, signer, options)
    .toReversed()
    .toSorted((a, b) => b.time.getTime() - a.time.getTime())
  const proofs: { time: Date; covers: (type: string, value: Uint8Array) => boolean }[] = options.latestProof
    ? [{ time: options.latestProof, covers: () => true }]
    : []
  const reports: TimestampReport[] = []
  for (const { type, kind, token, time, imprintOf, covers } of found) {
    const proof = proofs.findLast((later) => later.time >= time && later.covers(type, token))
    const report = await judgeTimestamp(token, imprintOf, {
      judge,
      now,
      kind,
      provenAt: proof?.time ?? now,
      certificates,
      evidence,
    })
    reports.push(report)
    if (covers && report.indication === 'valid') proofs.push({ time, covers })
  }
  return reports.toReversed()
}

function timestampsOf(signedData: SignedData, signer: SignerInfo, options: SignerTimestampsOptions): Found[] {
  const tokensOf = (attributes: readonly Attribute[] | undefined, type: string) =>
    valuesOf(attributes, type).map(({ raw }) => ({ type, token: raw, time: timeOf(raw) }))
  const unsigned = signer.unsignedAttributes
  return [
    ...tokensOf(signer.signedAttributes, attributeOids.contentTimestamp).map((found) => ({
      ...found,
      kind: 'content' as const,
      imprintOf: options.contentDigest,
    })),
    ...tokensOf(unsigned, attributeOids.signatureTimestamp).map((found) => ({
      ...found,
      kind: 'signature' as const,
      imprintOf: (name: DigestName) => digest(name, signer.signature),
    })),
    ...tokensOf(unsigned, attributeOids.referencesTimestamp).map((found) => ({
      ...found,
      kind: 'references' as const,
      imprintOf: (name: DigestName) => referencesImprint(signer, name),
    })),
    ...tokensOf(unsigned, attributeOids.certificatesTimestamp).map((found) => ({
      ...found,
      kind: 'references' as const,
      imprintOf: (name: DigestName) => certificatesImprint(signer, name),
    })),
    ...tokensOf(unsigned, attributeOids.archiveTimestampV3).map((found) =>
      archiveV3(signedData, signer, found, options),
    ),
    ...tokensOf(unsigned, attributeOids.archiveTimestampV2).map((found) =>
      archiveV2(signedData, signer, found, options),
    ),
  ]
}

type Bare = Pick<Found, 'type' | 'token' | 'time'>

function archiveV3(signedData: SignedData, signer: SignerInfo, found: Bare, options: SignerTimestampsOptions): Found {
  const index = indexIn(signedData, signer, found.token)
  return {
    ...found,
    kind: 'archive',
    imprintOf: (name) => {
      if (!index) return notChecked('structure-malformed')
      // An index that lists missing values protects nothing.
      if (!index.complete) return failed
      const content = options.contentDigest(name)
      return content && archiveImprintV3(signedData, signer, content, index.index, name)
    },
    covers: (type, value) => index?.covers(type, value) ?? false,
  }
}

function indexIn(signedData: SignedData, signer: SignerInfo, token: Buffer): VerifiedIndex | undefined {
  try {
    return verifiedIndex(signedData, signer, readTimestampToken(token).signer)
  } catch (error) {
    if (error instanceof EngineError) return undefined // Unreadable: there is nothing to compare the imprint with.
    throw error
  }
}

// The archive timestamp covers everything but later archive timestamps and itself. Times are whole seconds, so with
// equal times both readings are tried.
function archiveV2(signedData: SignedData, signer: SignerInfo, found: Bare, options: SignerTimestampsOptions): Found {
  const earlier = (isEarlier: (time: Date) => boolean) =>
    signer.unsignedAttributes.filter(
      ({ oid, values }) =>
        !archiveTypes.has(oid) || values.every(({ raw }) => !raw.equals(found.token) && isEarlier(timeOf(raw))),
    )
  const readings = [earlier((time) => time < found.time), earlier((time) => time <= found.time)]
  const expected = claimedImprint(found.token)
  return {
    ...found,
    kind: 'archive',
    imprintOf: (name) => {
      const start = options.archiveHash?.(name)
      if (!start) return undefined
      const imprints = readings.flatMap((attributes) => archiveImprintsV2(signedData, signer, attributes, start))
      return imprints.find((imprint) => expected?.equals(imprint)) ?? imprints[0]
    },
    covers: (type) => !archiveTypes.has(type) || type === attributeOids.archiveTimestampV2,
  }
}

const archiveTypes: ReadonlySet<string> = new Set([attributeOids.archiveTimestampV2, attributeOids.archiveTimestampV3])

/** The imprint a token claims; undefined when it cannot be read. */
function claimedImprint(token: Buffer): Buffer | undefined {
  try {
    return readTimestampToken(token).imprint.value
  } catch (error) {
    if (error instanceof EngineError) return undefined // The validation of this token reports it.
    throw error
  }
}

/** Unreadable tokens come last: they prove nothing, and their validation reports it. */
function timeOf(token: Buffer): Date {
  try {
    return readTimestampToken(token).time
  } catch (error) {
    if (error instanceof EngineError) return new Date(0)
    throw error
  }
}

// The signatures of a file, for inspection, for the signers of a document and for the earlier generation.
import { untrustingJudge } from '@chancela/service-kernel/trust'
import { EngineError } from '@chancela/signature-engine'
import { validateCades } from '@chancela/signature-engine/cades'
import type { Judge } from '@chancela/signature-engine/judgement'
import { validatePades } from '@chancela/signature-engine/pades'
import type { SignatureReport } from '@chancela/signature-engine/report'
import { validateXades } from '@chancela/signature-engine/xades'
import type { SignatureType } from '../../contract/documents.ts'
import { refuse } from '../../rules/refuse.ts'

/** What is known of content that is elsewhere. */
export type ContentDigests = Readonly<Partial<Record<'sha1' | 'sha256' | 'sha384' | 'sha512', Uint8Array>>>

/** A signed file, and what it needs that is outside it. */
export interface SignedFile {
  readonly type: SignatureType
  readonly bytes: Uint8Array
  /** The content of a detached signature, or what is known of it. */
  readonly content?: Uint8Array
  readonly digests?: ContentDigests
}

export interface ReadOptions {
  /** Default: nobody is trusted, because nobody asked. */
  readonly judge?: Judge
  /** Whether a certificate without a timestamp is judged at the time its holder claims. Default false. */
  readonly trustsClaimedTime?: boolean
  /** Certificates of signers that the judge is asked about at most: the sender of a file decides how many it has. */
  readonly mostJudged?: number
  readonly now: Date
}

const codes = { Pdf: 'InvalidPdf', Cms: 'InvalidCades', Xml: 'InvalidXml' } as const

/** Every signature and document timestamp, in the order of the file. A file that cannot be read is refused. */
export async function readSignatures(file: SignedFile, options: ReadOptions): Promise<readonly SignatureReport[]> {
  try {
    const { trustsClaimedTime = false, mostJudged = Number.POSITIVE_INFINITY, now } = options
    const judge = limited(options.judge ?? untrustingJudge, mostJudged)
    if (!trustsClaimedTime) return await reported(file, judge, now)
    const claims = await reported(file, untrustingJudge, now)
    return await reported(file, atClaimedTimes(judge, claims), now)
  } catch (error) {
    if (error instanceof EngineError) throw refuse(codes[file.type], { reason: error.message }, error)
    throw error
  }
}

async function reported({ type, bytes, content, digests }: SignedFile, judge: Judge, now: Date) {
  const options = { judge, now, ...(content && { content }) }
  if (type === 'Pdf') return (await validatePades(bytes, { judge, now })).signatures
  if (type === 'Xml') return (await validateXades(bytes, options)).signatures
  return (await validateCades(bytes, { ...options, ...(digests && { contentDigests: digests }) })).signatures
}

/** The same judge for the first signers, and none for the others. */
function limited(judge: Judge, most: number): Judge {
  const asked = new Set<string>()
  return {
    certificate: (certificate, options) => {
      if (options.purpose === 'signing') asked.add(certificate.fingerprint)
      return (asked.size > most ? untrustingJudge : judge).certificate(certificate, options)
    },
    validationData: (...given) => judge.validationData(...given),
  }
}

/** The same judge, to whom the claim of a signer without a timestamp is proof enough. */
function atClaimedTimes(judge: Judge, reports: readonly SignatureReport[]): Judge {
  const claimed = new Map(
    reports.flatMap(({ signer, claimedTime, provenTime }) =>
      signer && claimedTime && provenTime.by === 'now' ? [[signer.certificate.fingerprint, claimedTime] as const] : [],
    ),
  )
  return {
    certificate: (certificate, options) =>
      judge.certificate(certificate, { ...options, at: claimed.get(certificate.fingerprint) ?? options.at }),
    validationData: (...given) => judge.validationData(...given),
  }
}

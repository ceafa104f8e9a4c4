import { validateAsic } from '../asic/validate-asic.ts'
import { validateCades } from '../cades/validate-cades.ts'
import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { requireArguments } from '../errors/arguments.ts'
import { validateJades } from '../jades/validate-jades.ts'
import { createJudge, type Judge } from '../judgement/judge-certificate.ts'
import { validatePades } from '../pades/validate-pades.ts'
import type { PolicyCatalogue } from '../policies/policy-catalogue.ts'
import type { ValidationReport } from '../report/report.ts'
import { validateTimestamp } from '../timestamps/validate-timestamp.ts'
import type { TrustAnchors } from '../trust/trust-anchors.ts'
import type { PolicyOption } from '../validation-policy/apply-policy.ts'
import { validateXades } from '../xades/validate-xades.ts'
import { type DetectedFormat, type DetectOptions, detectFormat } from './detect-format.ts'
import { refuseVerify } from './errors.ts'

export interface VerifyOptions extends DetectOptions, PolicyOption {
  /** Time of the judgement. */
  readonly now: Date
  /** Whom to trust: a judge, or only the roots, with which nothing is asked for over the network. */
  readonly judge?: Judge
  readonly anchors?: TrustAnchors
  /** The content of a detached signature or timestamp; as a stream it is kept for XAdES and JAdES alone. */
  readonly content?: Uint8Array | AsyncIterable<Uint8Array>
  /** Digests of that content, where it stays elsewhere itself. */
  readonly contentDigests?: Readonly<Partial<Record<DigestName, Uint8Array>>>
  /** XAdES, JAdES: detached contents by their URI in the signature. */
  readonly contents?: Readonly<Record<string, Uint8Array>>
  /** Of an encrypted PDF: that of its users or of its owner. */
  readonly password?: string
  /** Lists of policies beyond the engine's own table. */
  readonly policies?: PolicyCatalogue
}

/** Verifies a signed file of any format: who signed, when, and whether the signature is to be trusted. */
export async function verify(file: Uint8Array, options: VerifyOptions): Promise<ValidationReport> {
  requireArguments('verify', { file: [file, 'bytes'] }, options, ['now'])
  const { judge = judgeOver(options.anchors), ...rest } = options
  if (!judge) throw refuseVerify('verify.trust-missing')
  requireDigests(options.contentDigests)
  return verifiers[detectFormat(file, options)](file, { ...rest, judge })
}

/** A digest that was cut off would look like a content that was changed. */
function requireDigests(digests: VerifyOptions['contentDigests'] = {}): void {
  for (const [algorithm, { length }] of Object.entries(digests)) {
    const isUsable =
      Object.hasOwn(digestAlgorithms, algorithm) && digestAlgorithms[algorithm as DigestName].bytes === length
    if (!isUsable) throw refuseVerify('verify.digest-unusable', { algorithm, found: length })
  }
}

const judgeOver = (anchors: TrustAnchors | undefined): Judge | undefined => anchors && createJudge({ anchors })

type Verifier = (file: Uint8Array, options: VerifyOptions & { readonly judge: Judge }) => Promise<ValidationReport>

const verifiers: Readonly<Record<DetectedFormat, Verifier>> = {
  PAdES: validatePades,
  XAdES: async (file, { content, ...options }) =>
    validateXades(file, { ...options, ...(content && { content: await inMemory(content) }) }),
  CAdES: validateCades,
  ASiC: validateAsic,
  JAdES: async (file, { content, ...options }) =>
    validateJades(file, { ...options, ...(content && { content: await inMemory(content) }) }),
  timestamp: validateTimestamp,
}

async function inMemory(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content
  const pieces: Uint8Array[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

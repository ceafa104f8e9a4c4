import type { Hash } from 'node:crypto'
import { digestIdentifiers } from '../cms/algorithm-identifiers.ts'
import {
  archiveHashStart,
  archiveImprintsV2,
  archiveImprintV3,
  hashIndex,
  referencesImprint,
} from '../cms/archive-timestamp.ts'
import { attributeOids } from '../cms/oids.ts'
import { ocspChoice, replacing, rewriteSignedData, withUnsignedAttributes } from '../cms/rewrite-signed-data.ts'
import { attribute } from '../cms/signed-attributes.ts'
import {
  attributesOf,
  identifies,
  readSignedData,
  type SignedData,
  type SignerInfo,
  signerAt,
  valuesOf,
} from '../cms/signed-data.ts'
import { policyOf, valuesInAttributes } from '../cms/signer-attributes.ts'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import type { Der } from '../der/der-writer.ts'
import { requireArguments } from '../errors/arguments.ts'
import { joinedValidationData } from '../judgement/joined-validation-data.ts'
import type { Judge, ValidationData } from '../judgement/judge-certificate.ts'
import { policyByOid } from '../policies/policies.ts'
import type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import type { TimestampDigest } from '../timestamps/timestamp-protocol.ts'
import { checkTokenSignature, readTimestampToken } from '../timestamps/timestamp-token.ts'
import type { Certificate } from '../x509/certificate.ts'
import { type CadesEncoding, cmsBytes, cmsFile } from './cades-file.ts'
import { type CadesLevel, isIcpForm, requireHelpers, requireLevel, stepsOf } from './cades-level.ts'
import { refuseCades } from './errors.ts'
import { digestOfContent, requireMayGrow } from './prepare-cades.ts'
import { certificateRefs, certificateValues, revocationRefs, revocationValues } from './validation-attributes.ts'

export interface ExtendCadesOptions {
  readonly level: CadesLevel
  readonly now: Date
  readonly timestamps?: TimestampClient
  readonly judge?: Judge
  /** The content of a detached signature; only AD-RA, whose archive timestamp is over it, needs it. */
  readonly content?: Uint8Array
  /** Position of the signature to extend; default: all of them. */
  readonly signer?: number
  /** Default DER. */
  readonly encoding?: CadesEncoding
}

/**
 * Brings signatures to a higher level. What is there already stays; a signature that has an archive timestamp gets a
 * further one, after the validation data of the last: that is how archives are renewed.
 */
export async function extendCades(document: Uint8Array, options: ExtendCadesOptions): Promise<Buffer> {
  requireArguments('extendCades', { document: [document, 'bytes'] }, options, ['level', 'now'])
  const der = Buffer.from(cmsBytes(document))
  const archiveHash = (signedData: SignedData, name: DigestName) => archiveHashStart(signedData, name, options.content)
  return cmsFile(await extendDer(der, { ...options, archiveHash }), options.encoding ?? 'DER')
}

export interface ExtendDerOptions extends ExtendCadesOptions {
  /** The start of an archive-time-stamp-v2 imprint; undefined when the content is not at hand. */
  readonly archiveHash: (signedData: SignedData, name: DigestName) => Hash | undefined
}

/** As `extendCades`, from DER to DER, for contents that are streams. */
export async function extendDer(der: Buffer, options: ExtendDerOptions): Promise<Buffer> {
  const level = requireLevel(options.level)
  requireHelpers(level, options)
  const first = readSignedData(der)
  const chosen = options.signer === undefined ? first.signers : [signerAt(first, options.signer)]
  let cms = der
  for (const signer of chosen) {
    requireTrack(signer, level)
    cms = await extendSigner(cms, signer.signature, level, options)
  }
  return cms
}

/** Steps are taken on the bytes as they are by then; a signer is known by its signature value, for positions change. */
async function extendSigner(
  der: Buffer,
  signature: Buffer,
  level: CadesLevel,
  options: ExtendDerOptions,
): Promise<Buffer> {
  const steps = stepsOf[level]
  let extension = new SignerExtension(der, signature, level, options)
  const take = async (wanted: true | undefined, step: (extension: SignerExtension) => Promise<Buffer>) => {
    if (wanted) extension = new SignerExtension(await step(extension), signature, level, options)
  }
  await take(steps.signatureTimestamp, (at) => at.withSignatureTimestamp())
  await take(steps.references, (at) => at.withReferences())
  await take(steps.referencesTimestamp, (at) => at.withReferencesTimestamp())
  await take(steps.values, (at) => at.withValues())
  await take(steps.validationData, (at) => at.withValidationData())
  await take(steps.archiveTimestampV3, (at) => at.withArchiveTimestampV3())
  await take(steps.archiveTimestampV2, (at) => at.withArchiveTimestampV2())
  return extension.der
}

/** One signer of one CMS, about to take a step. */
class SignerExtension {
  readonly der: Buffer
  readonly #signedData: SignedData
  readonly #at: number
  readonly #signer: SignerInfo
  readonly #level: CadesLevel
  readonly #options: ExtendDerOptions

  constructor(der: Buffer, signature: Buffer, level: CadesLevel, options: ExtendDerOptions) {
    this.der = der
    this.#signedData = readSignedData(der)
    this.#at = this.#signedData.signers.findIndex((signer) => signer.signature.equals(signature))
    this.#signer = signerAt(this.#signedData, this.#at)
    this.#level = level
    this.#options = options
  }

  async withSignatureTimestamp(): Promise<Buffer> {
    if (this.#has('signatureTimestamp')) return this.der
    return this.#with(
      attribute(attributeOids.signatureTimestamp, await this.#stamp(digest(this.#digest, this.#signer.signature))),
    )
  }

  async withReferences(): Promise<Buffer> {
    if (this.#has('certificateRefs') && this.#has('revocationRefs')) return this.der
    const certificate = this.#certificate()
    const data = await this.#dataOfSigner(certificate)
    return this.#with(certificateRefs(certificate, data), revocationRefs(certificate, data))
  }

  async withReferencesTimestamp(): Promise<Buffer> {
    if (this.#has('referencesTimestamp')) return this.der
    const token = await this.#stamp(referencesImprint(this.#signer, this.#digest))
    return this.#with(attribute(attributeOids.referencesTimestamp, token))
  }

  async withValues(): Promise<Buffer> {
    if (this.#has('certificateValues') && this.#has('revocationValues')) return this.der
    const all = joinedValidationData([await this.#dataOfSigner(this.#certificate()), ...(await this.#dataOfTokens())])
    return this.#with(certificateValues(all.certificates), revocationValues(all.crls, all.ocsps))
  }

  /** Baseline: into the SignedData, where EN 319 122-1 §5.4 wants it. */
  async withValidationData(): Promise<Buffer> {
    const all = joinedValidationData([await this.#dataOfSigner(this.#certificate()), ...(await this.#dataOfTokens())])
    const addCertificates = all.certificates.map(({ der }) => der)
    const addRevocation = [...all.crls, ...all.ocsps.map(ocspChoice)]
    requireMayGrow(this.#signedData, addCertificates, addRevocation)
    return rewriteSignedData(this.#signedData, { addCertificates, addRevocation })
  }

  /** EN 319 122-1 §5.5.3; the index goes into the token, unsigned. */
  async withArchiveTimestampV3(): Promise<Buffer> {
    const name = this.#digest
    const index = hashIndex(this.#signedData, this.#signer, name)
    const content = digestOfContent(this.#signedData, name, this.#options.content)
    const token = await this.#stamp(archiveImprintV3(this.#signedData, this.#signer, content, index, name))
    const { signedData, signer } = readTimestampToken(token)
    const indexed = rewriteSignedData(signedData, {
      signers: [withUnsignedAttributes(signer, attribute(attributeOids.archiveHashIndexV3, index))],
    })
    const archived = withUnsignedAttributes(this.#signer, attribute(attributeOids.archiveTimestampV3, indexed))
    return rewriteSignedData(this.#signedData, {
      signers: replacing(this.#signedData, this.#at, archived),
      addDigests: [digestIdentifiers[name]],
    })
  }

  /** TS 101 733 §6.4.1. Before a further one, the last token gets its own validation data inside. */
  async withArchiveTimestampV2(): Promise<Buffer> {
    const signer = await this.#withLastArchiveCompleted()
    const start = this.#options.archiveHash(this.#signedData, this.#digest)
    if (!start) throw refuseCades('cades.content-needed')
    const [imprint] = archiveImprintsV2(this.#signedData, signer, signer.unsignedAttributes, start)
    const archived = attribute(attributeOids.archiveTimestampV2, await this.#stamp(imprint))
    return rewriteSignedData(this.#signedData, {
      signers: replacing(this.#signedData, this.#at, withUnsignedAttributes(signer, archived)),
    })
  }

  /** The newest archive token is covered by none yet, so that its unsigned parts may still grow. */
  async #withLastArchiveCompleted(): Promise<SignerInfo> {
    const tokens = valuesOf(this.#signer.unsignedAttributes, attributeOids.archiveTimestampV2).map(({ raw }) => raw)
    const newest = tokens.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1)
    if (!newest) return this.#signer
    const data = await this.#dataOfToken(newest)
    const completed = rewriteSignedData(readTimestampToken(newest).signedData, {
      addCertificates: data.certificates.map(({ der }) => der),
      addRevocation: [...data.crls, ...data.ocsps.map(ocspChoice)],
    })
    const others = this.#signer.unsignedAttributes.filter(({ values }) => !values.some(({ raw }) => raw.equals(newest)))
    const changed = withUnsignedAttributes(
      { ...this.#signer, unsignedAttributes: others },
      attribute(attributeOids.archiveTimestampV2, completed),
    )
    const rewritten = rewriteSignedData(this.#signedData, { signers: replacing(this.#signedData, this.#at, changed) })
    return readSignedData(rewritten).signers.find((signer) => signer.signature.equals(this.#signer.signature))!
  }

  /** That of the signature, where authorities know it; the digest of a detached content is then known from it. */
  get #digest(): TimestampDigest {
    const { digest: name } = this.#signer
    return name === 'sha384' || name === 'sha512' ? name : 'sha256'
  }

  #has(name: keyof typeof attributeOids): boolean {
    return attributesOf(this.#signer.unsignedAttributes, attributeOids[name]).length > 0
  }

  #with(...attributes: Der[]): Buffer {
    const changed = withUnsignedAttributes(this.#signer, ...attributes)
    return rewriteSignedData(this.#signedData, { signers: replacing(this.#signedData, this.#at, changed) })
  }

  async #stamp(imprint: Buffer): Promise<Buffer> {
    const { timestamps } = this.#options
    if (!timestamps) throw refuseCades('cades.timestamps-needed', { level: this.#level })
    return (await timestamps.stampDigest(this.#digest, imprint)).token
  }

  #certificate(): Certificate {
    const found = this.#signedData.certificates.find((certificate) => identifies(this.#signer.identifier, certificate))
    if (!found) throw refuseCades('cades.track-differs', { found: 'no signer certificate', level: this.#level })
    return found
  }

  /** The signer's path and revocation data, for the time of the signature timestamp. */
  #dataOfSigner(certificate: Certificate): Promise<ValidationData> {
    const [token] = valuesOf(this.#signer.unsignedAttributes, attributeOids.signatureTimestamp)
    const at = token ? readTimestampToken(token.raw).time : this.#options.now
    return this.#validationData(certificate, at, 'signing', this.#signedData.certificates)
  }

  /** The same for every timestamp the signature has. */
  async #dataOfTokens(): Promise<ValidationData[]> {
    const all: ValidationData[] = []
    for (const type of timestampTypes) {
      for (const { raw } of valuesOf(this.#signer.unsignedAttributes, type)) all.push(await this.#dataOfToken(raw))
    }
    return all
  }

  async #dataOfToken(token: Buffer): Promise<ValidationData> {
    const read = readTimestampToken(token)
    const certificates = [...read.certificates, ...this.#signedData.certificates]
    const { certificate } = checkTokenSignature(read, certificates)
    if (!certificate)
      throw refuseCades('cades.track-differs', { found: 'a timestamp without certificate', level: this.#level })
    return this.#validationData(certificate, read.time, 'timestamping', certificates)
  }

  /** What the signature has already: an expired certificate's authority may have forgotten it since. */
  #evidence(): RevocationEvidence {
    const { crls, ocsps } = this.#signedData
    const inside = valuesInAttributes(this.#signer).evidence
    return { crls: [...crls, ...inside.crls], ocsps: [...ocsps, ...inside.ocsps] }
  }

  #validationData(
    certificate: Certificate,
    at: Date,
    purpose: 'signing' | 'timestamping',
    certificates: readonly Certificate[],
  ): Promise<ValidationData> {
    const { judge, now } = this.#options
    if (!judge) throw refuseCades('cades.judge-needed', { level: this.#level })
    return judge.validationData(certificate, { at, now, purpose, certificates, evidence: this.#evidence() })
  }
}

const timestampTypes = [
  attributeOids.signatureTimestamp,
  attributeOids.referencesTimestamp,
  attributeOids.archiveTimestampV2,
  attributeOids.archiveTimestampV3,
] as const

const timeOf = (token: Buffer): number => readTimestampToken(token).time.getTime()

/** The policy is signed: what was not promised cannot be added later. And the two tracks do not mix. */
function requireTrack(signer: SignerInfo, level: CadesLevel): void {
  if (isIcpForm(level)) {
    requirePolicy(signer, level)
    return
  }
  const classic = (['certificateRefs', 'certificateValues', 'archiveTimestampV2'] as const).find(
    (name) => attributesOf(signer.unsignedAttributes, attributeOids[name]).length > 0,
  )
  if (classic && stepsOf[level].validationData) throw refuseCades('cades.track-differs', { found: classic, level })
}

function requirePolicy(signer: SignerInfo, level: CadesLevel): void {
  const claim = policyOf(signer)
  if (!claim) throw refuseCades('cades.policy-missing', { level })
  const name = policyByOid(claim.oid)?.name
  // A policy newer than our table is taken at the caller's word.
  if (name && name !== level) throw refuseCades('cades.policy-differs', { found: name, level })
  if (attributesOf(signer.unsignedAttributes, attributeOids.archiveTimestampV3).length > 0) {
    throw refuseCades('cades.track-differs', { found: 'archiveTimestampV3', level })
  }
}

// From the options of a request to the plan of a signature (pki-core facts 4.3).
import { randomUUID } from 'node:crypto'
import { invalidField } from '@chancela/service-kernel/errors'
import { EngineError } from '@chancela/signature-engine'
import { summarizePdf } from '@chancela/signature-engine/pdf'
import type { Certificate } from '@chancela/signature-engine/x509'
import type { Position } from '@chancela/signature-engine/xades'
import type { SignatureType } from '../../contract/documents.ts'
import type { PrepareRequest } from '../../contract/signatures.ts'
import type { Files, KeptFile, Taker } from '../../parts/files/files.ts'
import { translated } from '../../parts/signing/prepare-signature.ts'
import type { ContentDigests } from '../../parts/signing/read-signatures.ts'
import type { CmsPlan, PdfPlan, SignaturePlan, XmlPlan } from '../../parts/signing/signature-plan.ts'
import type { Culture } from '../../rules/cultures.ts'
import { refuse } from '../../rules/refuse.ts'
import type { SignatureLevel } from '../../rules/signature-policies.ts'
import { isCms } from '../../rules/signature-type.ts'
import { planAppearance } from './plan-appearance.ts'

export type SignatureOptions = Pick<
  PrepareRequest,
  'cmsSignatureOptions' | 'pdfSignatureOptions' | 'xmlSignatureOptions'
>

/** What a plan is made of, besides the options. */
export interface PlanInput {
  readonly files: Pick<Files, 'take'>
  readonly taker: Taker
  readonly file: KeptFile
  readonly bytes: Buffer
  /** The address that the file was read from, where it was. */
  readonly url: string | undefined
  /** Undefined while it is not chosen: a text keeps its tags then, and the time is left out. */
  readonly certificate: Certificate | undefined
  readonly level: SignatureLevel
  readonly culture: Culture
}

export function planSignature(
  type: SignatureType,
  options: SignatureOptions,
  input: PlanInput,
): Promise<SignaturePlan> {
  refuseOtherOptions(type, options)
  return planners[type](options, input)
}

const optionsOf = { Pdf: 'pdfSignatureOptions', Cms: 'cmsSignatureOptions', Xml: 'xmlSignatureOptions' } as const

/** Options for another type than that of the signature would do nothing: whoever sent them means something else. */
function refuseOtherOptions(type: SignatureType, options: SignatureOptions): void {
  for (const [other, field] of Object.entries(optionsOf))
    if (other !== type && isFilled(options[field]))
      throw invalidField(field, `is not for signatures of the type ${type}`)
}

/** Clients send empty models for what they do not use. */
const isFilled = (options: object | null | undefined): boolean =>
  Object.values(options ?? {}).some((value) => value !== null && value !== undefined && value !== false)

const commonPlan = ({ level, taker }: PlanInput) => ({ level, at: taker.now.toISOString(), uuid: randomUUID() })

const planners: Readonly<
  Record<SignatureType, (options: SignatureOptions, input: PlanInput) => Promise<SignaturePlan>>
> = { Pdf: planPdf, Cms: planCms, Xml: planXml }

async function planPdf({ pdfSignatureOptions: options }: SignatureOptions, input: PlanInput): Promise<PdfPlan> {
  if (options?.convertToPdfA) throw refuse('PdfAConversionNotAvailable')
  const document = summaryOf(input.bytes)
  const drawn =
    options?.visualRepresentation && (await planAppearance(options.visualRepresentation, options, input, document))
  return { type: 'Pdf', ...commonPlan(input), isFurther: document.signatures > 0, ...drawn }
}

/** The pages of a PDF, and how many signatures it has. */
export function summaryOf(bytes: Buffer) {
  try {
    const { pages, fields } = summarizePdf(bytes)
    return { pages, signatures: fields.filter(({ type, isFilled }) => type === 'Sig' && isFilled).length }
  } catch (error) {
    if (error instanceof EngineError) throw translated(error, 'Pdf')
    throw error
  }
}

/** A file that is a CMS gets a further signature; the data of a detached one come beside it, or their hash does. */
async function planCms({ cmsSignatureOptions: options }: SignatureOptions, input: PlanInput): Promise<CmsPlan> {
  const { detached, dataFile, dataHashes } = options ?? {}
  const isFurther = isCms(input.bytes)
  const plan = { type: 'Cms', ...commonPlan(input), isFurther, detached: detached === true } as const
  if (dataFile && dataHashes?.length) throw invalidField('cmsSignatureOptions.dataFile', 'stands beside dataHashes')
  if (!isFurther && (dataFile || dataHashes?.length))
    throw invalidField('cmsSignatureOptions', 'names data, but the file is no CMS that they could belong to')
  if (dataFile) {
    const { digest } = await input.files.take(dataFile, 'cmsSignatureOptions.dataFile', input.taker)
    return { ...plan, data: digest }
  }
  return dataHashes?.length ? { ...plan, dataHash: sha256In(dataHashes) } : plan
}

type DataHash = NonNullable<NonNullable<NonNullable<PrepareRequest['cmsSignatureOptions']>['dataHashes']>[number]>

/** Digests that are looked at, and their bytes; others are in lists of clients and say nothing here. */
const knownDigests = {
  SHA1: ['sha1', 20],
  SHA256: ['sha256', 32],
  SHA384: ['sha384', 48],
  SHA512: ['sha512', 64],
} as const

/** The hashes of data that are of use. */
export const digestsIn = (hashes: readonly DataHash[]): ContentDigests =>
  Object.fromEntries(
    hashes.flatMap(({ algorithm, value, hexValue }) => {
      const [name, length] = knownDigests[algorithm as keyof typeof knownDigests] ?? []
      const bytes = value ? Buffer.from(value, 'base64') : Buffer.from(hexValue ?? '', 'hex')
      return name && bytes.length === length ? [[name, bytes]] : []
    }),
  )

/** The SHA-256 among the hashes of data, base64. */
export function sha256In(hashes: readonly DataHash[]): string {
  const { sha256 } = digestsIn(hashes)
  if (!sha256) throw refuse('MissingDataHash', { algorithm: 'SHA256' })
  return Buffer.from(sha256).toString('base64')
}

const insertions = {
  AppendChild: 'last-child',
  PrependChild: 'first-child',
  AppendSibling: 'after',
  PrependSibling: 'before',
} as const satisfies Record<string, Position['at']>

async function planXml({ xmlSignatureOptions: options }: SignatureOptions, input: PlanInput): Promise<XmlPlan> {
  const { type = 'FullXml', elementToSignId, signatureElementLocation: location } = options ?? {}
  const plan = {
    type: 'Xml',
    ...commonPlan(input),
    isFurther: input.bytes.includes('http://www.w3.org/2000/09/xmldsig#'),
    insertion: insertions[location?.insertionOption ?? 'AppendChild'],
  } as const
  if (type === 'OnlineResource' || type === 'DetachedResource') {
    if (location || elementToSignId)
      throw invalidField('xmlSignatureOptions', `names an element, which ${type} has not`)
    return {
      ...plan,
      isFurther: false,
      uri: type === 'OnlineResource' ? onlineUri(input) : encodeURIComponent(input.file.name),
    }
  }
  const place = location?.xPath ? { place: placeOf(location.xPath, location.namespaces ?? []) } : {}
  if (type !== 'XmlElement') {
    if (elementToSignId) throw invalidField('xmlSignatureOptions.elementToSignId', 'is for the type XmlElement')
    return { ...plan, ...place }
  }
  if (!elementToSignId) throw invalidField('xmlSignatureOptions.elementToSignId', 'is required')
  return { ...plan, ...place, target: { id: elementToSignId.replace(/^#/, '') } }
}

const placeOf = (xpath: string, namespaces: readonly { readonly prefix: string; readonly uri: string }[]) => ({
  xpath,
  namespaces: Object.fromEntries(namespaces.map(({ prefix, uri }) => [prefix, uri])),
})

function onlineUri({ url }: PlanInput): string {
  if (url === undefined) throw invalidField('file.url', 'is required for an OnlineResource')
  return url
}

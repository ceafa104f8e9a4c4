import { basename, extname } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { SignerClaims } from '@chancela/signature-engine'
import { type AsicFile, addAsicSignature, extendAsic, signAsic } from '@chancela/signature-engine/asic'
import {
  coSignCades,
  counterSignCades,
  extendCades,
  signCades,
  signCadesStream,
} from '@chancela/signature-engine/cades'
import { addJadesSignature, extendJades, type JadesLevel, signJades } from '@chancela/signature-engine/jades'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import {
  extendPades,
  extendPadesFile,
  type PadesLevel,
  type SignPadesOptions,
  signPades,
  signPadesFile,
} from '@chancela/signature-engine/pades'
import type { SigningPolicy } from '@chancela/signature-engine/policies'
import type { DocumentFormat, SignatureFormat, SignatureLevel } from '@chancela/signature-engine/report'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import { type DetectedFormat, detectFormat } from '@chancela/signature-engine/verify'
import type { Certificate } from '@chancela/signature-engine/x509'
import { counterSignXades, extendXades, type SignXadesOptions, signXades } from '@chancela/signature-engine/xades'

export type Level = Exclude<SignatureLevel, 'none'>

/** Levels that extend an existing signature. */
export type LevelAbove = Exclude<Level, 'B-B' | 'AD-RB'>

/** How a document is signed, in any format. */
export interface SigningTerms {
  readonly now: Date
  readonly level: Level
  readonly digest?: 'sha256' | 'sha384' | 'sha512'
  readonly chain?: readonly Certificate[]
  readonly policy?: SigningPolicy
  readonly timestamps?: TimestampClient
  readonly judge?: Judge
  /** CAdES, XAdES, JAdES: the content stays outside the signature. */
  readonly detached: boolean
  /** CAdES: PEM. */
  readonly pem: boolean
  /** CAdES, JAdES, ASiC: add a signature to the existing ones instead of signing the file as content. */
  readonly coSign: boolean
  /** CAdES, XAdES: confirm a signature of the file instead, by its Id or number; without, the one that is usual. */
  readonly confirms?: { readonly which?: string | undefined }
  readonly claims?: SignerClaims
  /** What is said of the content, and whether it gets a timestamp first; PAdES has the timestamp alone. */
  readonly content: Pick<SignXadesOptions, 'mimeType' | 'description' | 'contentTimestamp'>
  /** ASiC: the kind of signature inside. */
  readonly inside: 'CAdES' | 'XAdES'
  /** Name of the content, for a detached XAdES or JAdES and in containers. */
  readonly contentName: string
  /** PAdES: what is its own. */
  readonly pdf: Pick<
    SignPadesOptions,
    'password' | 'reason' | 'location' | 'fieldName' | 'permits' | 'certify' | 'pdfStandard' | 'mark'
  >
}

export interface ExtensionTerms {
  readonly now: Date
  readonly level: LevelAbove
  readonly timestamps: TimestampClient
  readonly judge: Judge
  /** Content of a detached signature. */
  readonly content?: Uint8Array
  /** Of encrypted PDFs. */
  readonly password?: string
}

/** From this size on CMS and PDF are signed and verified in constant memory. */
export const LARGE_BYTES = 64 * 1024 * 1024

/** Signs a large PDF from one file into another. */
export const signLargePades = (
  path: string,
  output: string,
  signer: DigestSigner,
  { pdf, content: { contentTimestamp }, ...terms }: SigningTerms,
): Promise<void> =>
  signPadesFile(path, output, signer, { ...common(terms), ...pdf, contentTimestamp, level: padesLevel(terms.level) })

/** Signs a large file without holding it in memory. */
export const signLargeCades = (
  open: () => AsyncIterable<Uint8Array>,
  length: number,
  signer: DigestSigner,
  { detached, pem, content, ...terms }: SigningTerms,
): AsyncIterable<Uint8Array> =>
  signCadesStream(open, signer, {
    ...common(terms),
    ...content,
    length,
    encoding: pem ? 'PEM' : 'DER',
    packaging: detached ? 'detached' : 'attached',
  })

type Sign = (document: Uint8Array, signer: DigestSigner, terms: SigningTerms) => Promise<Uint8Array>

/** How one file is signed in each format. */
export const formats: Readonly<Record<DocumentFormat, Sign>> = {
  CAdES: (document, signer, { detached, pem, coSign, content, ...terms }) => {
    const options = { ...common(terms), ...content, encoding: pem ? 'PEM' : 'DER' } as const
    if (coSign) return coSignCades(document, signer, options)
    return signCades(document, signer, { ...options, packaging: detached ? 'detached' : 'attached' })
  },
  XAdES: (document, signer, { detached, contentName, content, ...terms }) =>
    signXades(document, signer, {
      ...common(terms),
      ...content,
      ...(detached && { packaging: 'detached' as const, uri: encodeURIComponent(contentName) }),
    }),
  PAdES: async (document, signer, { pdf, content: { contentTimestamp }, ...terms }) =>
    signPades(document, signer, { ...common(terms), ...pdf, contentTimestamp, level: padesLevel(terms.level) }),
  JAdES: async (document, signer, { detached, contentName, coSign, content, ...terms }) => {
    const { description: _, ...said } = content
    const options = { ...common(terms), ...said, level: jadesLevel(terms.level) }
    if (coSign) return addJadesSignature(document, signer, options)
    const packaging = detached ? ({ packaging: 'detached', uri: encodeURIComponent(contentName) } as const) : {}
    return signJades(document, signer, { ...options, ...packaging })
  },
  'ASiC-S': (document, signer, terms) => inContainer('ASiC-S', document, signer, terms),
  'ASiC-E': (document, signer, terms) => inContainer('ASiC-E', document, signer, terms),
}

const unconfirmable: Sign = async () => {
  throw new StartupProblem('Counter-signatures are made in CAdES and XAdES alone.')
}

/** How a signature in a file of each format is confirmed. */
export const confirmations: Readonly<Record<DocumentFormat, Sign>> = {
  CAdES: async (document, signer, { pem, confirms, ...terms }) =>
    counterSignCades(document, signer, {
      ...common(terms),
      encoding: pem ? 'PEM' : 'DER',
      ...(confirms?.which !== undefined && { signer: positionOf(confirms.which) }),
    }),
  XAdES: (document, signer, { confirms, ...terms }) =>
    counterSignXades(document, signer, {
      ...common(terms),
      ...(confirms?.which !== undefined && { signature: confirms.which }),
    }),
  PAdES: unconfirmable,
  JAdES: unconfirmable,
  'ASiC-S': unconfirmable,
  'ASiC-E': unconfirmable,
}

/** Signatures of a CMS have no name: they are counted from 1, as reports do. */
function positionOf(number: string): number {
  if (!/^[1-9]\d{0,5}$/.test(number))
    throw new StartupProblem(`--signature takes the number of a CAdES signature, such as 1, not ${number}.`)
  return Number(number) - 1
}

function inContainer(
  form: 'ASiC-S' | 'ASiC-E',
  content: Uint8Array,
  signer: DigestSigner,
  { coSign, contentName, ...terms }: SigningTerms,
): Promise<Uint8Array> {
  if (coSign) return addAsicSignature(content, signer, common(terms))
  return signAsic([{ name: basename(contentName), content }], signer, {
    ...common(terms),
    form,
    signature: terms.inside,
  })
}

/** Signs several files into one container. */
export const signTogether = (
  files: readonly AsicFile[],
  signer: DigestSigner,
  terms: Omit<SigningTerms, 'contentName'>,
) => signAsic(files, signer, { ...common(terms), form: 'ASiC-E', signature: terms.inside })

type Extend = (document: Uint8Array, terms: ExtensionTerms) => Promise<Uint8Array>

const extensions: Readonly<Record<DetectedFormat, Extend>> = {
  CAdES: (document, terms) => extendCades(document, terms),
  XAdES: (document, terms) => extendXades(document, terms),
  PAdES: async (document, terms) => extendPades(document, { ...terms, level: padesLevel(terms.level) }),
  ASiC: (document, terms) => extendAsic(document, terms),
  JAdES: async (document, terms) => extendJades(document, { ...terms, level: jadesLevel(terms.level) }),
  timestamp: async () => {
    throw new StartupProblem('A timestamp on its own has no levels.')
  },
}

/** Brings the signatures of a file to a higher level, whatever its format; `name` is for the error. */
export const extend = (document: Uint8Array, terms: ExtensionTerms, name: string): Promise<Uint8Array> =>
  extensions[detectFormat(document, { name })](document, terms)

/** The same for a large PDF, from one file into another. */
export const extendLargePades = (path: string, output: string, terms: ExtensionTerms): Promise<void> =>
  extendPadesFile(path, output, { ...terms, level: padesLevel(terms.level) })

function padesLevel(level: Level): PadesLevel {
  if (level === 'AD-RV')
    throw new StartupProblem('PDF has no AD-RV in ICP-Brasil; it has AD-RB, AD-RT, AD-RC and AD-RA.')
  return level
}

function jadesLevel<L extends Level>(level: L): L & JadesLevel {
  if (level.startsWith('AD-')) throw new StartupProblem('ICP-Brasil has no policies for JAdES; it has B-B to B-LTA.')
  return level as L & JadesLevel
}

type CommonTerms = Pick<
  SigningTerms,
  'now' | 'level' | 'digest' | 'chain' | 'policy' | 'timestamps' | 'judge' | 'claims'
>

const common = ({ now, level, digest, chain, policy, timestamps, judge, claims }: CommonTerms) => ({
  now,
  level,
  ...(digest && { digest }),
  ...(chain && { chain }),
  ...(policy && { policy }),
  ...(timestamps && { timestamps }),
  ...(judge && { judge }),
  ...(claims && { claims }),
})

/** Names of formats on the command line. */
export const formatNames = {
  cades: 'CAdES',
  xades: 'XAdES',
  pades: 'PAdES',
  jades: 'JAdES',
  'asic-s': 'ASiC-S',
  'asic-e': 'ASiC-E',
} as const satisfies Record<string, DocumentFormat>
export type FormatName = keyof typeof formatNames

const formatOfExtension: Readonly<Record<string, SignatureFormat>> = { '.pdf': 'PAdES', '.xml': 'XAdES' }
const formatOfAddition: Readonly<Record<string, DocumentFormat>> = {
  '.jws': 'JAdES',
  '.asics': 'ASiC-S',
  '.scs': 'ASiC-S',
  '.asice': 'ASiC-E',
  '.sce': 'ASiC-E',
}

/** The same for a file without a name, by its first bytes: markup is XML. */
export function formatByStart(bytes: Uint8Array): DocumentFormat {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (start.includes('%PDF-')) return 'PAdES'
  const isMarkup = /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</.test(start.toString('latin1'))
  return isMarkup ? 'XAdES' : 'CAdES'
}

/** The default format to sign a file in, by its extension; a container or JWS is signed as any file unless it is added to. */
export function formatByName(path: string, { coSign = false }: { coSign?: boolean | undefined } = {}): DocumentFormat {
  const extension = extname(path).toLowerCase()
  return (coSign ? formatOfAddition[extension] : undefined) ?? formatOfExtension[extension] ?? 'CAdES'
}

import { extname } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { coSignCades, extendCades, signCades, signCadesStream, validateCades } from '@chancela/signature-engine/cades'
import type { Judge } from '@chancela/signature-engine/judgement'
import type { DigestSigner } from '@chancela/signature-engine/keys'
import {
  extendPades,
  type PadesLevel,
  type SignPadesOptions,
  signPades,
  validatePades,
} from '@chancela/signature-engine/pades'
import type { PolicyCatalogue, SigningPolicy } from '@chancela/signature-engine/policies'
import type { SignatureFormat, SignatureLevel, ValidationReport } from '@chancela/signature-engine/report'
import type { TimestampClient } from '@chancela/signature-engine/timestamps'
import type { Certificate } from '@chancela/signature-engine/x509'
import { extendXades, signXades, validateXades } from '@chancela/signature-engine/xades'

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
  /** CAdES, XAdES: the content stays outside the signature. */
  readonly detached: boolean
  /** CAdES: PEM. */
  readonly pem: boolean
  /** CAdES: add a signature to the existing ones instead of signing the file as content. */
  readonly coSign: boolean
  /** Name of the content, for a detached XAdES. */
  readonly contentName: string
  /** PAdES: what is its own. */
  readonly pdf: Pick<
    SignPadesOptions,
    'reason' | 'location' | 'fieldName' | 'permits' | 'certify' | 'pdfStandard' | 'appearance'
  >
}

export interface ExtensionTerms {
  readonly now: Date
  readonly level: LevelAbove
  readonly timestamps: TimestampClient
  readonly judge: Judge
  /** Content of a detached signature. */
  readonly content?: Uint8Array
}

interface ValidationTerms {
  readonly judge: Judge
  readonly now: Date
  readonly policies: PolicyCatalogue
  /** Content of a detached signature. */
  readonly content?: Uint8Array
}

/** From this size on a CAdES signature is made in constant memory, reading the content twice. */
export const LARGE_BYTES = 64 * 1024 * 1024

/** Signs a large file without holding it in memory. */
export const signLargeCades = (
  open: () => AsyncIterable<Uint8Array>,
  length: number,
  signer: DigestSigner,
  { detached, pem, ...terms }: SigningTerms,
): AsyncIterable<Uint8Array> =>
  signCadesStream(open, signer, {
    ...common(terms),
    length,
    encoding: pem ? 'PEM' : 'DER',
    packaging: detached ? 'detached' : 'attached',
  })

interface FormatVerbs {
  sign(document: Uint8Array, signer: DigestSigner, terms: SigningTerms): Promise<Uint8Array>
  extend(document: Uint8Array, terms: ExtensionTerms): Promise<Uint8Array>
  validate(document: Uint8Array, terms: ValidationTerms): Promise<ValidationReport>
}

/** The same operations for each of the three formats. */
export const formats: Readonly<Record<SignatureFormat, FormatVerbs>> = {
  CAdES: {
    sign: (document, signer, { detached, pem, coSign, ...terms }) => {
      const options = { ...common(terms), encoding: pem ? 'PEM' : 'DER' } as const
      if (coSign) return coSignCades(document, signer, options)
      return signCades(document, signer, { ...options, packaging: detached ? 'detached' : 'attached' })
    },
    extend: (document, terms) => extendCades(document, terms),
    validate: (document, terms) => validateCades(document, terms),
  },
  XAdES: {
    sign: (document, signer, { detached, contentName, ...terms }) =>
      signXades(document, signer, {
        ...common(terms),
        ...(detached && { packaging: 'detached' as const, uri: encodeURIComponent(contentName) }),
      }),
    extend: (document, terms) => extendXades(document, terms),
    validate: (document, terms) => validateXades(document, terms),
  },
  PAdES: {
    sign: async (document, signer, { pdf, ...terms }) =>
      signPades(document, signer, { ...common(terms), ...pdf, level: padesLevel(terms.level) }),
    extend: async (document, terms) => extendPades(document, { ...terms, level: padesLevel(terms.level) }),
    validate: (document, terms) => validatePades(document, terms),
  },
}

function padesLevel(level: Level): PadesLevel {
  if (level === 'AD-RV')
    throw new StartupProblem('PDF has no AD-RV in ICP-Brasil; it has AD-RB, AD-RT, AD-RC and AD-RA.')
  return level
}

type CommonTerms = Pick<SigningTerms, 'now' | 'level' | 'digest' | 'chain' | 'policy' | 'timestamps' | 'judge'>

const common = ({ now, level, digest, chain, policy, timestamps, judge }: CommonTerms) => ({
  now,
  level,
  ...(digest && { digest }),
  ...(chain && { chain }),
  ...(policy && { policy }),
  ...(timestamps && { timestamps }),
  ...(judge && { judge }),
})

/** Names of formats on the command line. */
export const formatNames = { cades: 'CAdES', xades: 'XAdES', pades: 'PAdES' } as const satisfies Record<
  string,
  SignatureFormat
>
export type FormatName = keyof typeof formatNames

/** The default format to sign a file in, by its extension. */
export function formatByName(path: string): SignatureFormat {
  const extension = extname(path).toLowerCase()
  return extension === '.pdf' ? 'PAdES' : extension === '.xml' ? 'XAdES' : 'CAdES'
}

/** The format of a signed file, by its content, because a name may be wrong. */
export function formatByContent(bytes: Uint8Array): SignatureFormat {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024))
  if (start.includes('%PDF-')) return 'PAdES'
  // In UTF-16 there are zero bytes between the characters of the markup.
  const isMarkup = /^(\ufeff|\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*</.test(start.toString('latin1'))
  return isMarkup ? 'XAdES' : 'CAdES'
}

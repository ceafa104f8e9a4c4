import type { Hash } from 'node:crypto'
import { claimAttributes, contentTimestampAttribute } from '../cms/claim-attributes.ts'
import {
  type CmsSigner,
  cmsSizeBound,
  contentDigestName,
  detachedCms,
  isSameChain,
  type PreparedCms,
  prepareCms,
} from '../cms/cms-template.ts'
import type { SigningDigest } from '../crypto/signing-algorithm.ts'
import type { Der } from '../der/der-writer.ts'
import { requireArguments } from '../errors/arguments.ts'
import { writeText } from '../pdf/object-writer.ts'
import { openPdf, type PdfPassword } from '../pdf/pdf-file.ts'
import type { PdfInput } from '../pdf/pdf-source.ts'
import { dateText } from '../pdf/text-string.ts'
import type { SigningPolicy } from '../policies/policies.ts'
import { requireAllowed } from '../policies/policy-algorithms.ts'
import {
  type ContentTimestampOptions,
  contentTimestampsOf,
  requireContentTimestamp,
} from '../signing/content-timestamp.ts'
import { placeText, requireClaims, type SignerClaims } from '../signing/signer-claims.ts'
import {
  type Prepared,
  prepared,
  requireFormat,
  requireSignature,
  type SigningState,
} from '../signing/signing-state.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { DrawnAppearance } from './drawn-appearance.ts'
import { refusePades } from './errors.ts'
import { type PadesLevel, partsOf, policyFor } from './levels.ts'
import { seeded } from './seeded-options.ts'
import { type SignatureEntries, signatureNames } from './signature-dictionary.ts'
import { type ClosedRevision, digestAroundHole, withSignature } from './signature-hole.ts'
import type { CertifiedFor } from './signature-locks.ts'
import { type Permits, writeSignatureRevision } from './signature-revision.ts'

/** How a PDF is signed. */
export interface PreparePadesOptions extends PdfPassword {
  /** The signer's time, written into the signature dictionary. */
  readonly now: Date
  /** Default B-B. Preparing sets the policy and the room for a timestamp; `extendPades` adds what follows signing. */
  readonly level?: PadesLevel
  /** Default SHA-256; Ed25519 always goes with SHA-512. */
  readonly digest?: SigningDigest
  /** Issuers to include, nearest first, the root last; it also determines the policy version. Default none. */
  readonly chain?: readonly Certificate[]
  /** Default: none for B levels, the newest fitting version for AD levels. */
  readonly policy?: SigningPolicy
  /** Names in the signature dictionary. Default `etsi`, which validators support; see facts in `signatureNames`. */
  readonly pdfStandard?: keyof typeof signatureNames
  /** An empty signature field to fill, or the name of a new one. Default Signature1, Signature2 and so on. */
  readonly fieldName?: string
  /**
   * What the first signature of the document says may come after it, in its own /Reference; on a later one it does
   * nothing. Default `form-filling`: the rule that ICP-Brasil's validator looks for.
   */
  readonly permits?: Permits
  /** The same as a certification: the catalog names it, too, and it is refused on a later signature. Default: none. */
  readonly certify?: CertifiedFor
  /** Locks the document by its field: nothing but evidence may come after it. Default: what the field wishes, else no. */
  readonly lockDocument?: boolean
  /** Default invisible. */
  readonly appearance?: DrawnAppearance
  /** Further pictures, such as initials: no fields, but covered by the signature. Default none. */
  readonly stamps?: readonly DrawnAppearance[]
  readonly signerName?: string
  readonly location?: string
  /** Not allowed together with a policy. */
  readonly reason?: string
  readonly contactInfo?: string
  /**
   * Roles and commitments that the signer states, as attributes of the signature; the place is written as `location`,
   * unless that is given. A commitment is not allowed together with a reason. Default none.
   */
  readonly claims?: SignerClaims
  /** Room for a signature timestamp in bytes, when the level has one. Default 8192. */
  readonly timestampBytes?: number
  /**
   * Digest state after hashing exactly the document's bytes with the signature's digest, for example while storing the
   * file: the document is then not hashed again. It is copied and not changed.
   */
  readonly digestState?: Hash
  /** Identifies the document's version: preparing again with the same gives the same bytes. Default: a new one. */
  readonly uuid?: string
  /** `whole`: completing returns the signed document. `appended`: only the bytes to append to it. Default `whole`. */
  readonly output?: 'whole' | 'appended'
}

/** PAdES state between preparing and completing. */
export interface PadesState extends ClosedRevision {
  readonly [name: string]: Uint8Array | number
  /** The revision to append, with its gap closed: a {@link ClosedRevision}. */
  readonly appended: Uint8Array
  readonly holeStart: number
  readonly room: number
  /** SignedData.certificates, encoded. */
  readonly certificates: Uint8Array
}

const DEFAULT_TIMESTAMP_BYTES = 8192

/** Lays the signature out in the document and returns what the key must sign. */
export function preparePades(
  document: PdfInput,
  certificate: Certificate,
  options: PreparePadesOptions,
): Prepared<PadesState> {
  requireArguments(
    'preparePades',
    { document: [document, 'pdf'], certificate: [certificate, 'certificate'] },
    options,
    ['now'],
  )
  return preparedOver(layOut(document, certificate, options, 0), options)
}

/** The same with a timestamp over what is signed, which is signed with it (`contentTimestamp`). */
export async function prepareStampedPades(
  document: PdfInput,
  certificate: Certificate,
  options: PreparePadesOptions & ContentTimestampOptions,
): Promise<Prepared<PadesState>> {
  if (!options?.contentTimestamp) return preparePades(document, certificate, options)
  requireContentTimestamp(options)
  const layout = layOut(document, certificate, options, options.timestampBytes ?? DEFAULT_TIMESTAMP_BYTES)
  const { signer, contentDigest } = layout
  const { contentTimestamps = [] } = await contentTimestampsOf(contentDigestName(signer), () => contentDigest, options)
  const furtherAttributes = [...(signer.furtherAttributes ?? []), contentTimestampAttribute(contentTimestamps)]
  return preparedOver({ ...layout, signer: { ...signer, furtherAttributes } }, options)
}

/** A document with room for its signature, of which the digest is known. */
interface Layout {
  readonly document: PdfInput
  readonly signer: CmsSigner
  readonly contentDigest: Buffer
  readonly revision: ReturnType<typeof writeSignatureRevision>
  readonly room: number
}

function layOut(document: PdfInput, certificate: Certificate, asked: PreparePadesOptions, extraRoom: number): Layout {
  const file = openPdf(document, asked)
  const options = seeded(file, certificate, asked)
  const signer = signerOf(certificate, options)
  const { level = 'B-B', timestampBytes = DEFAULT_TIMESTAMP_BYTES } = options
  const room = signatureSize(signer) + (partsOf(level).timestamp ? timestampBytes : 0) + extraRoom
  const revision = writeSignatureRevision(
    file,
    {
      type: 'Sig',
      entries: dictionaryEntries(options),
      room,
      fieldName: options.fieldName,
      appearance: options.appearance,
      stamps: options.stamps,
      certify: options.certify,
      permits: options.permits ?? 'form-filling',
      lockDocument: options.lockDocument,
      uuid: options.uuid,
    },
    'left-out',
  )
  const contentDigest = digestAroundHole(document, revision, contentDigestName(signer), options.digestState)
  return { document, signer, contentDigest, revision, room }
}

/** EN 319 142-1 §6.3 (l, m): the reason gives way to a policy and to a commitment. */
function signerOf(certificate: Certificate, options: PreparePadesOptions): CmsSigner {
  const { level = 'B-B', chain = [], now, digest, claims, reason } = options
  const policy = policyFor(level, { policy: options.policy, chain, now })
  if (claims) requireClaims(claims)
  if (policy && reason !== undefined) throw refusePades('pades.reason-with-policy')
  if (claims?.commitments?.length && reason !== undefined) throw refusePades('pades.reason-with-commitment')
  return { certificate, chain, policy, digest, ...(claims && { furtherAttributes: attributesOf(claims, policy) }) }
}

/** EN 319 142-1 §6.3: signer-location is not used in a PDF, whose dictionary has a place for it. */
const attributesOf = ({ place: _, ...claims }: SignerClaims, policy: SigningPolicy | undefined): readonly Der[] =>
  claimAttributes(claims, policy ? 'signer-attributes' : 'signer-attributes-v2')

function preparedOver(
  { document, signer, contentDigest, revision, room }: Layout,
  options: PreparePadesOptions,
): Prepared<PadesState> {
  const cms = prepareCms({ ...signer, contentDigest })
  requireAllowed('PAdES', cms.algorithm, signer.policy)
  return prepared({
    format: 'pades',
    certificate: signer.certificate,
    algorithm: cms.algorithm,
    toSign: cms.toSign,
    document: document instanceof Uint8Array && options.output !== 'appended' ? document : null,
    data: {
      appended: revision.appended,
      holeStart: revision.holeStart,
      room,
      certificates: cms.certificates,
    },
  })
}

/** How a signature is put into its document. */
export interface CompletePadesOptions {
  /** Whether the signature is verified first; `later` if the caller runs `checkNewPades`. Default `now`. */
  readonly verified?: 'now' | 'later'
}

/** The document, or the bytes to append to it, with the signature inside. The signature is verified first. */
export function completePades(
  state: SigningState<unknown>,
  signature: Uint8Array,
  options: CompletePadesOptions = {},
): Buffer {
  requireArguments('completePades', { state: [state, 'state'], signature: [signature, 'bytes'] }, options)
  const { verified = 'now' } = options
  const { document, data } = requireFormat<PadesState>(state, 'pades')
  if (verified === 'now') requireSignature(state, signature)
  const { certificate, algorithm, toSign } = state
  const cms: PreparedCms = { certificate, algorithm, toSign: asBuffer(toSign), certificates: data.certificates }
  return withSignature(document, data, detachedCms(cms, signature))
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** The parameters of the size, and the size: computed once, because a key mostly signs the same way again. */
interface MeasuredSize {
  readonly signer: CmsSigner
  readonly size: number
}

const measured = new WeakMap<Certificate, MeasuredSize>()

function signatureSize(signer: CmsSigner): number {
  const known = measured.get(signer.certificate)
  if (known && isSameShape(known.signer, signer)) return known.size
  const size = cmsSizeBound(signer)
  measured.set(signer.certificate, { signer: { ...signer, chain: [...signer.chain] }, size })
  return size
}

const isSameShape = (a: CmsSigner, b: CmsSigner): boolean =>
  a.digest === b.digest &&
  a.policy === b.policy &&
  sizeOf(a.furtherAttributes) === sizeOf(b.furtherAttributes) &&
  isSameChain(a.chain, b.chain)

const sizeOf = (attributes: readonly Der[] = []): number => attributes.reduce((sum, { length }) => sum + length, 0)

function dictionaryEntries(options: PreparePadesOptions): SignatureEntries {
  const { Filter, SubFilter } = signatureNames[options.pdfStandard ?? 'etsi']
  const entries: Record<string, string> = { Filter, SubFilter, M: `(${dateText(options.now)})` }
  if (options.signerName !== undefined) entries.Name = writeText(options.signerName)
  const { location = options.claims?.place && placeText(options.claims.place) } = options
  if (location !== undefined) entries.Location = writeText(location)
  if (options.reason !== undefined) entries.Reason = writeText(options.reason)
  if (options.contactInfo !== undefined) entries.ContactInfo = writeText(options.contactInfo)
  return entries
}

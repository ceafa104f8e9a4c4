import type { CadesLevel } from '../cades/cades-level.ts'
import {
  type CadesOptions,
  type CadesStateData,
  completeCades,
  prepareCades,
  prepareCoSignature,
} from '../cades/prepare-cades.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { SigningPolicy } from '../policies/policies.ts'
import type { SignerClaims } from '../signing/signer-claims.ts'
import { type Prepared, prepared, requireFormat, type SigningState } from '../signing/signing-state.ts'
import type { Certificate } from '../x509/certificate.ts'
import { completeXades, prepareXades, type XadesData } from '../xades/prepare-xades.ts'
import { sameName } from '../zip/zip-format.ts'
import { type NewZipFile, updateZip, writeZip } from '../zip/zip-writer.ts'
import { requireUnarchived } from './archive-asic.ts'
import { type AsicContainer, readContainer, signatureKindOf, uriOf } from './container.ts'
import { refuseAsic } from './errors.ts'
import { manifestText } from './manifest.ts'
import { withSignature } from './signatures-file.ts'
import { type AsicForm, type AsicSignature, META, MIMETYPE, mimeTypes, names, referenceTypes } from './vocabulary.ts'

/** A file to sign, with its path inside the container. */
export interface AsicFile {
  readonly name: string
  readonly content: Uint8Array
  /** Of the content; default: not said. */
  readonly mimeType?: string
}

/** How one signature of a container is made. */
export interface AsicSignatureOptions {
  /** The time of signing. */
  readonly now: Date
  /** Default B-B. For AD-* the policy of that form is signed. */
  readonly level?: CadesLevel
  /** Default SHA-256. */
  readonly digest?: NonNullable<CadesOptions['digest']>
  /** Default for AD-*: the newest policy in force for the root at the end of the chain. */
  readonly policy?: SigningPolicy
  /** Issuers to put into the signature, nearest first; default none. `signAsic` takes those of the signer. */
  readonly chain?: readonly Certificate[]
  /** Roles, commitments and place that the signer states. Default none. */
  readonly claims?: SignerClaims
}

export interface AsicOptions extends AsicSignatureOptions {
  /** ASiC-S holds one file, ASiC-E any number. Default: ASiC-S for one file. */
  readonly form?: AsicForm
  /** Default CAdES, whose signatures may be over files of any kind without naming them in XML. */
  readonly signature?: AsicSignature
}

/** Between prepare and complete; `document` is the container without the signature. */
export type AsicStateData = {
  readonly signature: AsicSignature
  /** The file of the container that will hold the signature. */
  readonly path: string
  /** The CMS that is added to; null for a signature of its own. */
  readonly existing: Uint8Array | null
  /** Milliseconds since 1970: the time of the file in the archive. */
  readonly now: number
  readonly inner: CadesStateData | XadesData
}

export type AsicState = SigningState<AsicStateData>

/** A new container of these files: returns what the key has to sign. */
export function prepareAsic(
  files: readonly AsicFile[],
  certificate: Certificate,
  options: AsicOptions,
): Prepared<AsicStateData> {
  requireArguments('prepareAsic', { files: [files, 'list'], certificate: [certificate, 'certificate'] }, options, [
    'now',
  ])
  const container = newContainer(files, options)
  return preparedIn(container, files, certificate, options, options.signature ?? 'CAdES')
}

/** A further signature over all files of a container, of the kind of those that are there. */
export function prepareAsicSignature(
  existing: Uint8Array,
  certificate: Certificate,
  options: AsicSignatureOptions,
): Prepared<AsicStateData> {
  const given = { existing: [existing, 'bytes'], certificate: [certificate, 'certificate'] } as const
  requireArguments('prepareAsicSignature', given, options, ['now'])
  const container = readContainer(existing)
  const kind = signatureKindOf(container)
  if (!kind) throw refuseAsic('asic.no-signature')
  return preparedIn(container, container.dataFiles, certificate, options, kind)
}

/** The container with the finished signature. Throws if the certificate's key did not make the signature value. */
export function completeAsic(anyState: SigningState<unknown>, signature: Uint8Array): Buffer {
  requireArguments('completeAsic', { state: [anyState, 'state'], signature: [signature, 'bytes'] })
  const state = requireFormat<AsicStateData>(anyState, 'asic')
  const { archive } = readContainer(state.document!)
  const { path, now } = state.data
  const existing = archive.entries.find(({ name }) => name === path)?.content
  const content = finishers[state.data.signature](state, signature, existing)
  return updateZip(archive, [{ name: path, content }], new Date(now))
}

type Finish = (state: AsicState, signature: Uint8Array, existing: Uint8Array | undefined) => Uint8Array

const finishers: Readonly<Record<AsicSignature, Finish>> = {
  CAdES: ({ data, ...state }, signature) =>
    completeCades({ ...state, format: 'cades', document: data.existing, data: data.inner }, signature),
  XAdES: ({ data, ...state }, signature, existing) =>
    withSignature(existing, completeXades({ ...state, format: 'xades', document: null, data: data.inner }, signature)),
}

/** A container of these files, not signed yet. */
export function newContainer(
  files: readonly AsicFile[],
  { form, now }: Pick<AsicOptions, 'form' | 'now'>,
): AsicContainer {
  if (files.length === 0) throw refuseAsic('asic.no-files')
  const chosen = form ?? (files.length === 1 ? 'ASiC-S' : 'ASiC-E')
  if (chosen === 'ASiC-S' && files.length > 1) throw refuseAsic('asic.one-file', { count: files.length })
  for (const { name } of files) requireUsable(name, chosen)
  const mimetype = { name: MIMETYPE, content: Buffer.from(mimeTypes[chosen], 'latin1'), stored: true }
  return readContainer(writeZip([mimetype, ...files], now))
}

// Names that no archive may have are refused where the archive is read again.
function requireUsable(name: string, form: AsicForm): void {
  const key = sameName(name)
  const isReserved = key === MIMETYPE || key.startsWith(META.toLowerCase()) || name.endsWith('/')
  if (isReserved || (form === 'ASiC-S' && name.includes('/'))) throw refuseAsic('asic.name-unusable', { name })
}

/** What the key signs, and the files that come with the signature. */
interface Laid {
  readonly inner: Prepared<CadesStateData> | Prepared<XadesData>
  readonly path: string
  readonly existing: Uint8Array | null
  readonly added: readonly NewZipFile[]
}

type Lay = (
  container: AsicContainer,
  files: readonly AsicFile[],
  certificate: Certificate,
  options: AsicSignatureOptions,
) => Laid

const layouts: Readonly<Record<AsicForm, Readonly<Record<AsicSignature, Lay>>>> = {
  'ASiC-S': { CAdES: simpleCades, XAdES: simpleXades },
  'ASiC-E': { CAdES: extendedCades, XAdES: extendedXades },
}

function preparedIn(
  container: AsicContainer,
  files: readonly AsicFile[],
  certificate: Certificate,
  options: AsicSignatureOptions,
  signature: AsicSignature,
): Prepared<AsicStateData> {
  requireLevel(container.form, signature, options.level)
  const { inner, path, existing, added } = layouts[container.form][signature](container, files, certificate, options)
  const { algorithm, toSign, data } = inner.state
  return prepared({
    format: 'asic',
    certificate,
    algorithm,
    toSign,
    document: updateZip(container.archive, added, options.now),
    data: { signature, path, existing, now: options.now.getTime(), inner: data },
  })
}

/** AD-RA has its archive timestamp in the CMS: it would cover the manifest that the signature is over, and no file. */
export function requireLevel(form: AsicForm, signature: AsicSignature, level: CadesLevel | undefined): void {
  if (form === 'ASiC-E' && signature === 'CAdES' && level === 'AD-RA')
    throw refuseAsic('asic.level-unavailable', { form, signature, level })
}

function simpleCades(
  container: AsicContainer,
  files: readonly AsicFile[],
  certificate: Certificate,
  options: AsicSignatureOptions,
): Laid {
  const { content } = onlyFile(files)
  requireUnarchived(container, names.cades)
  const existing = container.meta.cades[0]?.content ?? null
  const inner = existing
    ? prepareCoSignature(existing, certificate, { ...options, content })
    : prepareCades(content, certificate, { ...options, packaging: 'detached' })
  return { inner, path: names.cades, existing: inner.state.document, added: [] }
}

function simpleXades(
  container: AsicContainer,
  files: readonly AsicFile[],
  certificate: Certificate,
  options: AsicSignatureOptions,
): Laid {
  requireUnarchived(container, names.xades)
  return { inner: overFiles([onlyFile(files)], certificate, options), path: names.xades, existing: null, added: [] }
}

function extendedCades(
  container: AsicContainer,
  files: readonly AsicFile[],
  certificate: Certificate,
  options: AsicSignatureOptions,
): Laid {
  const number = freeNumber(container)
  const path = `${META}signature${number}.p7s`
  const manifest = manifestText(files, { name: path, mimeType: referenceTypes.signature }, options.digest ?? 'sha256')
  return {
    inner: prepareCades(manifest, certificate, { ...options, packaging: 'detached' }),
    path,
    existing: null,
    added: [{ name: `${META}ASiCManifest${number}.xml`, content: manifest }],
  }
}

function extendedXades(
  container: AsicContainer,
  files: readonly AsicFile[],
  certificate: Certificate,
  options: AsicSignatureOptions,
): Laid {
  const path = `${META}signatures${freeNumber(container)}.xml`
  return { inner: overFiles(files, certificate, options), path, existing: null, added: [] }
}

/** One signature with a reference to each of these files. */
function overFiles(
  files: readonly AsicFile[],
  certificate: Certificate,
  options: AsicSignatureOptions,
): Prepared<XadesData> {
  const [first, ...also] = files.map(({ name, content, mimeType }) => ({
    uri: uriOf(name),
    content,
    ...(mimeType !== undefined && { mimeType }),
  }))
  const { content, ...named } = first!
  return prepareXades(content, certificate, { ...options, ...named, packaging: 'detached', also })
}

function onlyFile(files: readonly AsicFile[]): AsicFile {
  const [only, ...others] = files
  if (!only || others.length > 0) throw refuseAsic('asic.one-file', { count: files.length })
  return only
}

/** Three digits that no file of META-INF has in its name. */
function freeNumber({ archive }: AsicContainer): string {
  const taken = archive.entries.filter(({ name }) => name.startsWith(META))
  for (let number = 1; ; number++) {
    const digits = String(number).padStart(3, '0')
    if (!taken.some(({ name }) => name.includes(digits))) return digits
  }
}

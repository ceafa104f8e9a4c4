import { type Finding, finding } from '../report/report.ts'
import { sameName, type ZipArchive, type ZipEntry } from '../zip/zip-format.ts'
import { isZip, readZip } from '../zip/zip-reader.ts'
import { refuseAsic } from './errors.ts'
import {
  type AsicForm,
  type AsicSignature,
  META,
  type MetaKind,
  MIMETYPE,
  metaFiles,
  mimeTypes,
  names,
} from './vocabulary.ts'

/** A container as it is, with nothing judged. */
export interface AsicContainer {
  readonly form: AsicForm
  readonly archive: ZipArchive
  /** What is signed: every file outside META-INF but `mimetype`. */
  readonly dataFiles: readonly ZipEntry[]
  /** Signatures, timestamps and manifests, by kind. */
  readonly meta: Readonly<Record<MetaKind, readonly ZipEntry[]>>
  /** What else META-INF has. */
  readonly otherFiles: readonly ZipEntry[]
  /** How the container names its form (annex A.1). */
  readonly findings: readonly Finding[]
}

/** Containers are read into memory, and so is what is in them. */
const containerLimits = { files: 5_000, totalBytes: 512 * 1024 * 1024 } as const

/** Reads a container; an archive that is none, or that can be read in two ways, is refused. */
export function readContainer(bytes: Uint8Array): AsicContainer {
  if (!isZip(bytes)) throw refuseAsic('asic.no-container', { reason: 'it is no zip archive' })
  const archive = readZip(bytes, containerLimits)
  const inMeta = archive.entries.filter(({ name }) => name.startsWith(META))
  const meta = Object.fromEntries(
    kinds.map((kind) => [kind, inMeta.filter(({ name }) => kindOf(name) === kind)]),
  ) as unknown as AsicContainer['meta']
  const dataFiles = archive.entries.filter(({ name }) => name !== MIMETYPE && !name.startsWith(META))
  const { form, findings } = formOf(archive, meta, dataFiles)
  return {
    form,
    archive,
    dataFiles,
    meta,
    otherFiles: inMeta.filter(({ name }) => kindOf(name) === undefined),
    findings,
  }
}

const kinds = Object.keys(metaFiles) as MetaKind[]

/** Names overlap: an archive manifest is looked for before a manifest. */
const kindOf = (name: string): MetaKind | undefined => kinds.find((kind) => metaFiles[kind].test(name))

const COMMENT = /^mimetype=(\S+)\s*$/

type Named = Pick<AsicContainer, 'form' | 'findings'>

/** The form by `mimetype`, else by the comment of the archive (annex A.1), else by what is in META-INF. */
function formOf(archive: ZipArchive, meta: AsicContainer['meta'], dataFiles: readonly ZipEntry[]): Named {
  const entry = archive.entries.find(({ name }) => name === MIMETYPE)
  const declared = entry?.content.toString('latin1').trim() ?? COMMENT.exec(archive.comment)?.[1]
  if (declared === undefined)
    return { form: formByFiles(meta, dataFiles), findings: [finding('asic.mimetype', { reason: 'it is not there' })] }
  const form = forms.find((known) => mimeTypes[known] === declared)
  if (!form)
    throw refuseAsic('asic.no-container', { reason: `its mimetype is ${JSON.stringify(declared.slice(0, 100))}` })
  return { form, findings: entry ? placeFindings(entry) : [] }
}

const forms = Object.keys(mimeTypes) as AsicForm[]

function formByFiles(meta: AsicContainer['meta'], dataFiles: readonly ZipEntry[]): AsicForm {
  const found = Object.values(meta).flat()
  if (found.length === 0)
    throw refuseAsic('asic.no-container', { reason: 'META-INF has neither signature nor timestamp' })
  const isSimple = found.length === 1 && Object.values<string>(names).includes(found[0]!.name) && dataFiles.length === 1
  return isSimple ? 'ASiC-S' : 'ASiC-E'
}

/** Annex A.1: `mimetype` is the first file, not compressed and without extra fields, so that its bytes tell the type. */
function placeFindings({ offset, isStored, hasExtra, content }: ZipEntry): Finding[] {
  const reasons = [
    offset !== 0 && 'it is not the first file',
    !isStored && 'it is compressed',
    hasExtra && 'it has extra fields',
    content.toString('latin1').trim().length !== content.length && 'it has more than the type',
  ]
  return reasons.flatMap((reason) => (reason ? [finding('asic.mimetype', { reason })] : []))
}

/** The kind of the signatures that are there; undefined where there is none. */
export function signatureKindOf({ meta }: AsicContainer): AsicSignature | undefined {
  if (meta.cades.length > 0) return 'CAdES'
  return meta.xades.length > 0 ? 'XAdES' : undefined
}

/** The file a URI of a manifest or signature names: relative to the root of the container, percent-encoded. */
export const fileNamed = ({ archive }: Pick<AsicContainer, 'archive'>, uri: string): ZipEntry | undefined =>
  entriesByName(archive).get(decoded(uri))

/** Manifests have thousands of references: files are looked up and not searched. */
function entriesByName(archive: ZipArchive): ReadonlyMap<string, ZipEntry> {
  const known = indexes.get(archive) ?? new Map(archive.entries.map((entry) => [entry.name, entry]))
  indexes.set(archive, known)
  return known
}

const indexes = new WeakMap<ZipArchive, ReadonlyMap<string, ZipEntry>>()

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri // A name with a `%` that was not encoded: then it is the name itself.
  }
}

/** The URI of a file in its container. */
export const uriOf = (name: string): string => name.split('/').map(encodeURIComponent).join('/')

/** The first of these names, by numbers of three digits, that no file of the archive has. */
export function freeName({ entries }: ZipArchive, nameOf: (number: string) => string): string {
  const taken = new Set(entries.map(({ name }) => sameName(name)))
  for (let number = 1; ; number++) {
    const name = nameOf(String(number).padStart(3, '0'))
    if (!taken.has(sameName(name))) return name
  }
}

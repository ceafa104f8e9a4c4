import type { CadesLevel } from '../cades/cades-level.ts'
import { refuseCades } from '../cades/errors.ts'
import { extendCades } from '../cades/extend-cades.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { extendXades } from '../xades/extend-xades.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import type { ZipEntry } from '../zip/zip-format.ts'
import { updateZip } from '../zip/zip-writer.ts'
import { archivedFiles, requireUnarchived, withArchiveManifest } from './archive-asic.ts'
import { type AsicContainer, readContainer, signatureKindOf } from './container.ts'
import { refuseAsic } from './errors.ts'
import { signedContent } from './manifests-of-container.ts'
import { requireLevel } from './prepare-asic.ts'
import { referencedFiles, signaturesIn } from './signatures-file.ts'
import type { AsicSignature } from './vocabulary.ts'

/** A level above the basic ones. */
export type ExtendedAsicLevel = Exclude<CadesLevel, 'B-B' | 'AD-RB'>

export interface ExtendAsicOptions {
  readonly level: ExtendedAsicLevel
  readonly now: Date
  readonly timestamps: TimestampClient
  /** Collects certificates and revocation data; levels above B-T and AD-RT need it. */
  readonly judge?: Judge
  /** The one signature that is extended; default all of them. */
  readonly only?: AsicSignatureAt
}

/** Where a signature is in a container. */
export interface AsicSignatureAt {
  /** The file of META-INF that holds it. */
  readonly path: string
  /** CAdES: its position among those of the file. */
  readonly signer?: number
  /** XAdES: its Id. */
  readonly id?: string
}

/** Brings the signatures of a container to a higher level; its files keep every byte. */
export async function extendAsic(existing: Uint8Array, options: ExtendAsicOptions): Promise<Buffer> {
  requireArguments('extendAsic', { existing: [existing, 'bytes'] }, options, ['now', 'level', 'timestamps'])
  const container = readContainer(existing)
  const kind = signatureKindOf(container)
  if (isArchivedWhole(container, kind, options.level)) return archivedWhole(container, options)
  if (!kind) throw refuseAsic('asic.no-signature')
  requireLevel(container.form, kind, options.level)
  const chosen = container.meta[kind === 'CAdES' ? 'cades' : 'xades'].filter(
    ({ name }) => options.only === undefined || options.only.path === name,
  )
  for (const { name } of chosen) requireUnarchived(container, name)
  return extended(container, kind, chosen, options)
}

/** EN 319 162-1 §5.4: what has manifests has its archive timestamp over one of the whole container. */
const isArchivedWhole = ({ form, meta }: AsicContainer, kind: AsicSignature | undefined, level: ExtendedAsicLevel) =>
  level === 'B-LTA' && form === 'ASiC-E' && kind !== 'XAdES' && meta.cades.length + meta.timestamp.length > 0

/** All signatures that no archive timestamp covers reach B-LT before one does: afterwards they cannot grow. */
async function archivedWhole(container: AsicContainer, { only: _only, ...options }: ExtendAsicOptions) {
  const { now, timestamps, judge } = options
  if (!judge) throw refuseCades('cades.judge-needed', { level: options.level })
  const archived = archivedFiles(container)
  const growing = container.meta.cades.filter((file) => !archived.has(file))
  const complete = await extended(container, 'CAdES', growing, { ...options, level: 'B-LT' })
  return withArchiveManifest(readContainer(complete), { now, timestamps, judge })
}

async function extended(
  container: AsicContainer,
  kind: AsicSignature,
  files: readonly ZipEntry[],
  options: ExtendAsicOptions,
): Promise<Buffer> {
  const grown: { name: string; content: Buffer }[] = []
  for (const file of files) grown.push({ name: file.name, content: await extensions[kind](container, file, options) })
  return updateZip(container.archive, grown, options.now)
}

type Extend = (container: AsicContainer, file: ZipEntry, options: ExtendAsicOptions) => Promise<Buffer>

const extensions: Readonly<Record<AsicSignature, Extend>> = {
  CAdES: (container, file, { only, ...options }) => {
    const content = signedContent(container, file)
    return extendCades(file.content, {
      ...options,
      ...(content && { content }),
      ...(only?.signer !== undefined && { signer: only.signer }),
    })
  },
  async XAdES(container, file, { only, ...options }) {
    let content = file.content
    for (const signature of only?.id === undefined ? idsIn(content) : [only.id]) {
      const contents = referencedFiles(container, scanXml(content))
      content = await extendXades(content, { ...options, contents, signature })
    }
    return content
  },
}

function idsIn(file: Buffer): string[] {
  const index = scanXml(file)
  return signaturesIn(index).flatMap((element) => index.attribute(element, 'Id') ?? [])
}

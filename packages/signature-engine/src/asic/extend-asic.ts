import type { CadesLevel } from '../cades/cades-level.ts'
import { extendCades } from '../cades/extend-cades.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { extendXades } from '../xades/extend-xades.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import type { ZipEntry } from '../zip/zip-format.ts'
import { updateZip } from '../zip/zip-writer.ts'
import { type AsicContainer, fileNamed, readContainer, signatureKindOf } from './container.ts'
import { refuseAsic } from './errors.ts'
import { readManifest } from './manifest.ts'
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
  if (!kind) throw refuseAsic('asic.no-signature')
  requireLevel(container.form, kind, options.level)
  const chosen = container.meta[kind === 'CAdES' ? 'cades' : 'xades'].filter(
    ({ name }) => options.only === undefined || options.only.path === name,
  )
  const extended: { name: string; content: Buffer }[] = []
  for (const file of chosen)
    extended.push({ name: file.name, content: await extensions[kind](container, file, options) })
  return updateZip(container.archive, extended, options.now)
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

/** What the signatures of a CMS are over: the file of an ASiC-S, the manifest of an ASiC-E that names the CMS. */
export function signedContent(container: AsicContainer, signature: ZipEntry): Buffer | undefined {
  if (container.form === 'ASiC-S') return container.dataFiles.length === 1 ? container.dataFiles[0]!.content : undefined
  return manifestOf(container, signature)?.content
}

/** The manifest that names this signature or timestamp; the first where several do. */
export const manifestOf = (container: AsicContainer, signature: ZipEntry): ZipEntry | undefined =>
  [...container.meta.manifest, ...container.meta.archiveManifest].find(
    (manifest) => fileNamed(container, signatureNamed(manifest)) === signature,
  )

function signatureNamed(manifest: ZipEntry): string {
  try {
    return readManifest(manifest).signature
  } catch (error) {
    if (error instanceof EngineError) return '' // It names nothing; whoever validates is told.
    throw error
  }
}

import { readContainer } from '../asic/container.ts'
import { readManifest } from '../asic/manifest.ts'
import { type MetaKind, metaFiles } from '../asic/vocabulary.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { ZipEntry } from '../zip/zip-format.ts'
import { inspectSignedData } from './inspect-cms.ts'
import { inspectXml } from './inspect-xml.ts'
import { type Inspected, inspected } from './inspected.ts'

/** An ASiC container: what is signed, and the manifests, signatures and timestamps that stand in META-INF. */
export function inspectAsic(bytes: Uint8Array): Inspected {
  const { form, dataFiles, otherFiles, meta, findings } = readContainer(bytes)
  const kinds = Object.keys(metaFiles) as MetaKind[]
  return inspected(
    'asic',
    `${form} container`,
    {
      form,
      mimetype: findings.map(({ details }) => String(details?.reason)),
      files: dataFiles.map(sized),
      otherFiles: otherFiles.map(sized),
    },
    kinds.flatMap((kind) => meta[kind].map((file) => inspectFile(file, readers[kind]))),
  )
}

const sized = ({ name, content }: ZipEntry): string => `${name}, ${content.length} bytes`

type Reader = (file: ZipEntry) => Inspected

/** A file of META-INF; what cannot be read of one does not prevent showing the others. */
function inspectFile(file: ZipEntry, reader: Reader): Inspected {
  try {
    return inspected('asic-file', file.name, {}, [reader(file)])
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return inspected('asic-file', file.name, { unreadable: error.message })
  }
}

function inspectManifest(file: ZipEntry): Inspected {
  const { signature, references } = readManifest(file)
  const facts = { signature, files: references.map(({ uri, digest, algorithm }) => `${uri} by ${digest ?? algorithm}`) }
  return inspected('asic-manifest', 'Manifest', facts)
}

const readers: Readonly<Record<MetaKind, Reader>> = {
  manifest: inspectManifest,
  archiveManifest: inspectManifest,
  cades: ({ content }) => inspectSignedData(content),
  timestamp: ({ content }) => inspectSignedData(content),
  xades: ({ content }) => inspectXml(content),
}

import { EngineError } from '../errors/engine-error.ts'
import type { ZipEntry } from '../zip/zip-format.ts'
import { type AsicContainer, fileNamed } from './container.ts'
import { type AsicManifest, readManifest } from './manifest.ts'

/** What the signatures of a CMS are over: the manifest that names the CMS, else the one file of an ASiC-S. */
export function signedContent(container: AsicContainer, signature: ZipEntry): Buffer | undefined {
  const manifest = manifestOf(container, signature)
  if (manifest || container.form === 'ASiC-E') return manifest?.content
  return container.dataFiles.length === 1 ? container.dataFiles[0]!.content : undefined
}

/** The manifest that names this signature or timestamp; the first where several do. */
export const manifestOf = (container: AsicContainer, signature: ZipEntry): ZipEntry | undefined =>
  manifestsBySignature(container).get(signature)

/** Read once: a container may have thousands of both. */
function manifestsBySignature(container: AsicContainer): ReadonlyMap<ZipEntry, ZipEntry> {
  const known = manifestsIn.get(container) ?? indexed(container)
  manifestsIn.set(container, known)
  return known
}

const manifestsIn = new WeakMap<AsicContainer, ReadonlyMap<ZipEntry, ZipEntry>>()

function indexed(container: AsicContainer): ReadonlyMap<ZipEntry, ZipEntry> {
  const found = new Map<ZipEntry, ZipEntry>()
  for (const manifest of [...container.meta.manifest, ...container.meta.archiveManifest]) {
    const read = readableManifest(manifest)
    const signature = read && fileNamed(container, read.signature)
    if (signature && !found.has(signature)) found.set(signature, manifest)
  }
  return found
}

/** A manifest, if it can be read; whoever validates tells of one that cannot. */
export function readableManifest(manifest: ZipEntry): AsicManifest | undefined {
  if (!manifests.has(manifest)) manifests.set(manifest, readOrNothing(manifest))
  return manifests.get(manifest)
}

const manifests = new WeakMap<ZipEntry, AsicManifest | undefined>()

function readOrNothing(manifest: ZipEntry): AsicManifest | undefined {
  try {
    return readManifest(manifest)
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}

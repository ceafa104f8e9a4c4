import { digest } from '../crypto/digest.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import type { TimestampDigest } from '../timestamps/timestamp-protocol.ts'
import { updateZip } from '../zip/zip-writer.ts'
import { manifestText } from './manifest.ts'
import { type AsicFile, type AsicOptions, newContainer } from './prepare-asic.ts'
import { META, names, referenceTypes } from './vocabulary.ts'

export interface TimestampAsicOptions extends Pick<AsicOptions, 'form' | 'now'> {
  /** Default SHA-256. */
  readonly digest?: TimestampDigest
  readonly timestamps: TimestampClient
}

/** Files in a container with a timestamp instead of a signature: it proves when they existed, and nothing of whose they are. */
export async function timestampAsic(files: readonly AsicFile[], given: TimestampAsicOptions): Promise<Buffer> {
  requireArguments('timestampAsic', { files: [files, 'list'] }, given, ['now', 'timestamps'])
  const { timestamps, digest: name = 'sha256', ...options } = given
  const { form, archive, dataFiles } = newContainer(files, options)
  const stamped = async (content: Uint8Array) => (await timestamps.stampDigest(name, digest(name, content))).token
  if (form === 'ASiC-S')
    return updateZip(archive, [{ name: names.timestamp, content: await stamped(dataFiles[0]!.content) }], options.now)
  const path = `${META}timestamp001.tst`
  const manifest = manifestText(files, { name: path, mimeType: referenceTypes.timestamp }, name)
  const added = [
    { name: `${META}ASiCManifest001.xml`, content: manifest },
    { name: path, content: await stamped(manifest) },
  ]
  return updateZip(archive, added, options.now)
}

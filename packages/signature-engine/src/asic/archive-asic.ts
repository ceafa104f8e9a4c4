import { ocspChoice, rewriteSignedData } from '../cms/rewrite-signed-data.ts'
import { digest } from '../crypto/digest.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { checkTokenSignature, readTimestampToken } from '../timestamps/timestamp-token.ts'
import { sameName, type ZipEntry } from '../zip/zip-format.ts'
import { type NewZipFile, updateZip } from '../zip/zip-writer.ts'
import { type AsicContainer, fileNamed, freeName, readContainer } from './container.ts'
import { refuseAsic } from './errors.ts'
import { manifestText } from './manifest.ts'
import { readableManifest } from './manifests-of-container.ts'
import { ARCHIVE_MANIFEST, META, MIMETYPE, referenceTypes } from './vocabulary.ts'

/** What an archive timestamp needs. */
interface ArchiveOptions {
  readonly now: Date
  readonly timestamps: TimestampClient
  readonly judge: Judge
}

/** An archive is renewed before its digest is weak; every authority knows this one. */
const DIGEST = 'sha256'

/**
 * The container with a manifest of all its files and a timestamp over that (EN 319 162-1 annex A.7). The newest manifest
 * has the name without a number: the one before is renamed and marked as its root.
 */
export async function withArchiveManifest(container: AsicContainer, options: ArchiveOptions): Promise<Buffer> {
  const { now, timestamps } = options
  const { archive, previous } = await readied(container, options)
  const files = archive.entries
    .filter(({ name }) => name !== MIMETYPE)
    .map(({ name, content }) => ({ name, content, isRootfile: name === previous }))
  const path = freeName(archive, (number) => `${META}timestamp${number}.tst`)
  const manifest = manifestText(files, { name: path, mimeType: referenceTypes.timestamp }, DIGEST)
  const { token } = await timestamps.stampDigest(DIGEST, digest(DIGEST, manifest))
  const added = [
    { name: ARCHIVE_MANIFEST, content: manifest },
    { name: path, content: token },
  ]
  return updateZip(archive, added, now)
}

/** As it is archived: the last manifest out of the way, and its timestamp whole. */
async function readied(container: AsicContainer, options: ArchiveOptions) {
  const { archive } = container
  const last = archive.entries.find(({ name }) => sameName(name) === sameName(ARCHIVE_MANIFEST))
  const previous = last && freeName(archive, (number) => `${META}ASiCArchiveManifest${number}.xml`)
  const changed: NewZipFile[] = await completedTokens(container, options)
  if (last && previous) changed.push({ name: previous, content: last.content })
  const entries = archive.entries.filter((entry) => entry !== last)
  const bytes = updateZip({ ...archive, entries }, changed, options.now)
  return { archive: readContainer(bytes).archive, previous }
}

/** Timestamps that no archive covers yet, with what validates them: from now on they cannot grow. */
async function completedTokens(container: AsicContainer, options: ArchiveOptions): Promise<NewZipFile[]> {
  const archived = archivedFiles(container)
  const completed: NewZipFile[] = []
  for (const file of container.meta.timestamp)
    if (!archived.has(file)) completed.push({ name: file.name, content: await completedToken(file, options) })
  return completed
}

async function completedToken({ name, content }: ZipEntry, { judge, now }: ArchiveOptions): Promise<Buffer> {
  const token = readTimestampToken(content)
  const { certificates, signedData, time } = token
  const { certificate } = checkTokenSignature(token)
  if (!certificate) throw refuseAsic('asic.timestamp-nameless', { name })
  const evidence = { crls: signedData.crls, ocsps: signedData.ocsps }
  const data = await judge.validationData(certificate, {
    at: time,
    now,
    purpose: 'timestamping',
    certificates,
    evidence,
  })
  return rewriteSignedData(signedData, {
    addCertificates: data.certificates.map(({ der }) => der),
    addRevocation: [...data.crls, ...data.ocsps.map(ocspChoice)],
  })
}

/** The files that archive manifests list: they keep every byte. */
export function archivedFiles(container: AsicContainer): ReadonlySet<ZipEntry> {
  const listed = container.meta.archiveManifest.flatMap((manifest) => readableManifest(manifest)?.references ?? [])
  return new Set(listed.flatMap(({ uri }) => fileNamed(container, uri) ?? []))
}

/** Refuses to change a file that an archive timestamp covers. */
export function requireUnarchived(container: AsicContainer, path: string): void {
  if ([...archivedFiles(container)].some(({ name }) => name === path)) throw refuseAsic('asic.archived', { name: path })
}

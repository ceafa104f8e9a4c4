import { type DigestName, digestAlgorithms, digestByXmlUri } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import type { SigningDigest } from '../crypto/signing-algorithm.ts'
import { EngineError } from '../errors/engine-error.ts'
import { DS } from '../xades/vocabulary.ts'
import { canonicalValue } from '../xml/xml-characters.ts'
import { ROOT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import type { ZipEntry } from '../zip/zip-format.ts'
import { uriOf } from './container.ts'
import { refuseAsic } from './errors.ts'
import { ASIC } from './vocabulary.ts'

/** ASiCManifest (annex A.4): which files one signature or timestamp is for. */
export interface AsicManifest {
  /** Of the signature or timestamp over the manifest. */
  readonly signature: string
  readonly references: readonly ManifestReference[]
}

export interface ManifestReference {
  readonly uri: string
  /** Undefined for an algorithm the engine does not know, which `algorithm` names. */
  readonly digest: DigestName | undefined
  readonly algorithm: string
  readonly value: Buffer
}

export interface ManifestFile {
  readonly name: string
  readonly content: Uint8Array
  readonly mimeType?: string
  /** The archive manifest before this one (annex A.7). */
  readonly isRootfile?: boolean
}

/** A manifest over these files, for the signature of this name. */
export function manifestText(
  files: readonly ManifestFile[],
  signature: { readonly name: string; readonly mimeType: string },
  algorithm: SigningDigest,
): Buffer {
  const references = files.map(({ name, content, mimeType, isRootfile = false }) => {
    const type = mimeType === undefined ? '' : ` MimeType="${canonicalValue(mimeType)}"`
    const value = digest(algorithm, content).toString('base64')
    return (
      `<asic:DataObjectReference${type} URI="${canonicalValue(uriOf(name))}"${isRootfile ? ' Rootfile="true"' : ''}>` +
      `<ds:DigestMethod Algorithm="${digestAlgorithms[algorithm].xml}"/><ds:DigestValue>${value}</ds:DigestValue>` +
      '</asic:DataObjectReference>'
    )
  })
  const reference = `<asic:SigReference MimeType="${signature.mimeType}" URI="${canonicalValue(uriOf(signature.name))}"/>`
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<asic:ASiCManifest xmlns:asic="${ASIC}" xmlns:ds="${DS}">` +
      `${reference}${references.join('')}</asic:ASiCManifest>\n`,
    'utf8',
  )
}

/** Reads the manifest of this name. */
export function readManifest({ name, content }: Pick<ZipEntry, 'name' | 'content'>): AsicManifest {
  try {
    return manifestIn(scanXml(content), (reason) => refuseAsic('asic.manifest-malformed', { name, reason }))
  } catch (error) {
    if (!(error instanceof EngineError) || error.code.startsWith('asic.')) throw error
    throw refuseAsic('asic.manifest-malformed', { name, reason: error.message }, error)
  }
}

type Refuse = (reason: string) => EngineError

const MAX_REFERENCES = 10_000

function manifestIn(index: XmlIndex, refuse: Refuse): AsicManifest {
  if (!index.is(ROOT, ASIC, 'ASiCManifest')) throw refuse('its root is no ASiCManifest')
  const signature = onlyChild(index, ROOT, ASIC, 'SigReference')
  const uri = signature === undefined ? undefined : index.attribute(signature, 'URI')
  if (uri === undefined) throw refuse('it does not name one signature')
  const references = index.childrenNamed(ROOT, ASIC, 'DataObjectReference')
  if (references.length === 0 || references.length > MAX_REFERENCES)
    throw refuse('it refers to no file, or to too many')
  return { signature: uri, references: references.map((element) => referenceAt(index, element, refuse)) }
}

function referenceAt(index: XmlIndex, element: number, refuse: Refuse): ManifestReference {
  const uri = index.attribute(element, 'URI')
  const method = onlyChild(index, element, DS, 'DigestMethod')
  const value = onlyChild(index, element, DS, 'DigestValue')
  const algorithm = method === undefined ? undefined : index.attribute(method, 'Algorithm')
  const text = value === undefined ? undefined : index.text(value)
  if (uri === undefined || algorithm === undefined || text === undefined)
    throw refuse('a reference lacks its URI or its one digest')
  return { uri, algorithm, digest: digestByXmlUri(algorithm), value: Buffer.from(text, 'base64') }
}

function onlyChild(index: XmlIndex, parent: number, namespace: string, local: string): number | undefined {
  const [only, ...others] = index.childrenNamed(parent, namespace, local)
  return others.length === 0 ? only : undefined
}

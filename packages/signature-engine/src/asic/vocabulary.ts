// The names of EN 319 162-1: what stands where in a container.

export type AsicForm = 'ASiC-S' | 'ASiC-E'

/** The kind of the signatures inside. */
export type AsicSignature = 'CAdES' | 'XAdES'

export const ASIC = 'http://uri.etsi.org/02918/v1.2.1#'

/** §4.3.3.1 and §4.4.3.1: content of the file `mimetype`. */
export const mimeTypes = {
  'ASiC-S': 'application/vnd.etsi.asic-s+zip',
  'ASiC-E': 'application/vnd.etsi.asic-e+zip',
} as const satisfies Record<AsicForm, string>

/** MimeType of what a manifest refers to (annex A.4). */
export const referenceTypes = {
  signature: 'application/pkcs7-signature',
  timestamp: 'application/vnd.etsi.timestamp-token',
} as const

export const MIMETYPE = 'mimetype'
export const META = 'META-INF/'

export const names = {
  /** ASiC-S, CAdES (§4.3.3.2 2a). */
  cades: 'META-INF/signature.p7s',
  /** ASiC-S, XAdES (§4.3.3.2 2b). */
  xades: 'META-INF/signatures.xml',
  /** ASiC-S, a timestamp alone (§4.3.3.2 2c). */
  timestamp: 'META-INF/timestamp.tst',
} as const

/** The newest archive manifest; older ones get a number (annex A.7). */
export const ARCHIVE_MANIFEST = 'META-INF/ASiCArchiveManifest.xml'

/** What a file of META-INF is, by its name (§4.4.3.2, §4.4.4.2, annex A.4 and A.7). */
export const metaFiles = {
  cades: /^META-INF\/[^/]*signature[^/]*\.p7s$/i,
  xades: /^META-INF\/[^/]*signatures[^/]*\.xml$/i,
  timestamp: /^META-INF\/[^/]*timestamp[^/]*\.tst$/i,
  archiveManifest: /^META-INF\/[^/]*ASiCArchiveManifest[^/]*\.xml$/i,
  manifest: /^META-INF\/[^/]*ASiCManifest[^/]*\.xml$/i,
} as const

export type MetaKind = keyof typeof metaFiles

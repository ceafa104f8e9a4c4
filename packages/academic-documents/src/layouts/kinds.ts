// The document kinds, their layouts by version, and which version is written.
import type { Element } from './language/content.ts'
import type { InputOf } from './language/input.ts'
import { academicDocumentation as academicDocumentation102 } from './tables/v102/academic-documentation.ts'
import { degree as degree102 } from './tables/v102/degree.ts'
import { academicDocumentation } from './tables/v105/academic-documentation.ts'
import { cancellationList } from './tables/v105/cancellation-list.ts'
import { curriculum } from './tables/v105/curriculum.ts'
import { degree } from './tables/v105/degree.ts'
import { inspectionFile } from './tables/v105/inspection-file.ts'
import { academicTranscript } from './tables/v105/transcript.ts'

/** The version that documents are written in. */
export const WRITTEN_VERSION = '1.05'

/** Root elements by kind, in the version that is written. */
export const written = {
  academicDocumentation,
  degree,
  academicTranscript,
  curriculum,
  cancellationList,
  inspectionFile,
} as const

export type DocumentKind = keyof typeof written
export type LayoutVersion = '1.02' | '1.05'

/** What is given to have a document of a kind written. */
export type DocumentInput<Kind extends DocumentKind = DocumentKind> = InputOf<(typeof written)[Kind]>

/** Everything that is read: old documents keep the layout they were made in. */
export const layouts: Readonly<Record<LayoutVersion, Partial<Readonly<Record<DocumentKind, readonly Element[]>>>>> = {
  '1.02': { academicDocumentation: academicDocumentation102, degree: degree102 },
  '1.05': written,
}

export const documentKinds = Object.keys(written) as readonly DocumentKind[]

export const MEC_NAMESPACES = {
  http: 'http://portal.mec.gov.br/diplomadigital/arquivos-em-xsd',
  https: 'https://portal.mec.gov.br/diplomadigital/arquivos-em-xsd',
} as const

export type NamespaceForm = keyof typeof MEC_NAMESPACES

export const XML_SIGNATURE_NAMESPACE = 'http://www.w3.org/2000/09/xmldsig#'

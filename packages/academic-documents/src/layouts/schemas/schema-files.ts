// The official schema files by name. They are not part of this product: a site that has them may add them for a second
// verdict.
import { type DocumentKind, type LayoutVersion, layouts } from '../kinds.ts'

const entryNames: Readonly<Record<DocumentKind, string>> = {
  academicDocumentation: 'DocumentacaoAcademicaRegistroDiplomaDigital',
  degree: 'DiplomaDigital',
  academicTranscript: 'HistoricoEscolarDigital',
  curriculum: 'CurriculoEscolarDigital',
  cancellationList: 'ListaDiplomasAnulados',
  inspectionFile: 'ArquivoFiscalizacao',
}

const layoutNames: Readonly<Record<DocumentKind, string>> = {
  academicDocumentation: 'leiauteDocumentacaoAcademicaRegistroDiplomaDigital',
  degree: 'leiauteDiplomaDigital',
  academicTranscript: 'leiauteHistoricoEscolar',
  curriculum: 'leiauteCurriculoEscolar',
  cancellationList: 'leiauteListaDiplomasAnulados',
  inspectionFile: 'leiauteArquivoFiscalizacao',
}

const SIGNATURE_FILE = 'xmldsig-core-schema_v1.1.xsd'

export const schemaVersions = Object.keys(layouts) as readonly LayoutVersion[]

export const kindsOf = (version: LayoutVersion): readonly DocumentKind[] =>
  Object.keys(layouts[version]) as readonly DocumentKind[]

/** The file that a kind is judged with. */
export const entryFile = (kind: DocumentKind, version: LayoutVersion): string => `${entryNames[kind]}_v${version}.xsd`

/** All files of a version. */
export function schemaFiles(version: LayoutVersion): readonly string[] {
  const versioned = kindsOf(version).flatMap((kind) => [entryNames[kind], layoutNames[kind]])
  return [...[...versioned, 'tiposBasicos'].map((name) => `${name}_v${version}.xsd`), SIGNATURE_FILE]
}

/**
 * The files served today had every `http://` turned into `https://`, names of namespaces included, and no schema processor
 * takes them so: the names are turned back.
 */
export function repaired(file: Uint8Array): Buffer {
  const text = Buffer.from(file.buffer, file.byteOffset, file.length).toString('utf8')
  return Buffer.from(text.replace(TURNED, 'http://$1'), 'utf8')
}

const TURNED = /https:\/\/(www\.w3\.org\/|portal\.mec\.gov\.br\/|lattes\\?\.cnpq)/g

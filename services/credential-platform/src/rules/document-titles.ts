import type { XmlDocumentKind } from '../contract/signing.ts'
import type { EventKind } from '../contract/vocabulary.ts'

/** What rows of items have that people know them by. */
interface Named {
  readonly student_name?: string
  readonly course?: string
  readonly code?: string
  readonly ies_name?: string
  readonly sequence_number?: number
  readonly start_date?: string
  readonly end_date?: string
}

const ofStudent = ({ student_name, course }: Named) => [student_name, course]

const parts: Readonly<Partial<Record<EventKind, (row: Named) => readonly unknown[]>>> = {
  Degree: ofStudent,
  Emission: ofStudent,
  EmissionRegistration: ofStudent,
  Registration: ofStudent,
  AcademicTranscript: ofStudent,
  Curriculum: ({ code, course }) => [code, course],
  CancellationList: ({ sequence_number, ies_name }) => [sequence_number, ies_name],
  InspectionFile: ({ start_date, end_date }) => [start_date, end_date],
}

const MOST = 300

/** What a document is about, as a person who signs it reads it. */
export const documentTitle = (kind: EventKind, row: object | undefined): string =>
  (row ? (parts[kind]?.(row) ?? []) : [])
    .filter((part) => part !== undefined && part !== null && part !== '')
    .join(' · ')
    .slice(0, MOST) || kind

/** What people call each kind; those who sign are Brazilians, whatever the language of the console. */
export const documentTitles: Readonly<Record<XmlDocumentKind, string>> = {
  academicDocumentation: 'Documentação acadêmica',
  degree: 'Diploma',
  academicTranscript: 'Histórico escolar',
  curriculum: 'Currículo escolar',
  cancellationList: 'Lista de diplomas anulados',
  inspectionFile: 'Arquivo de fiscalização',
}

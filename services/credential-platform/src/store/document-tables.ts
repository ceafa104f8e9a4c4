// Rows of the eight kinds, of their files, and of batches.
import type {
  BatchFormat,
  BatchKind,
  BatchRowStatus,
  BatchStatus,
  CancellationListStatus,
  CancellationReason,
  CurriculumStatus,
  DegreeState,
  EmissionStatus,
  InspectionFileStatus,
  InspectionFileType,
  RegistrationStatus,
  RestampedDocument,
  RestampStatus,
  TranscriptStatus,
  TranscriptType,
} from '../contract/vocabulary.ts'

/** What every kind has. */
interface Item {
  id: string
  subscription_id: string
  institute_id: string
  /** Of the layout. */
  version: string
  created_at: string
  updated_at: string
}

/** What a search looks at: its words, each after a space. The same words are its terms. */
interface Searched {
  search_key: string
}

/** What the models say of a student. */
interface OfStudent extends Searched {
  student_name: string
  student_social_name: string | null
  student_cpf: string
  /** Name of the course. */
  course: string
  course_id: string | null
  /** Name of the issuing institution. */
  issuing_ies: string
}

/** What is signed at the document platform, and what went wrong there. */
interface Signed {
  flow_id: string | null
  signer_document_id: string | null
  signer_document_url: string | null
  signing_error: string | null
}

/** One row of `degree`. */
export interface DegreeRow extends Item, OfStudent, Signed {
  status: DegreeState
  /** 1: the last change made a suspended degree valid again. */
  was_restored: number
  registrar_institute_id: string | null
  registering_ies: string
  /** 44 digits, shared by the four ids of the documents. */
  nonce: string
  verification_code: string | null
  reason: string | null
  cancellation_reason: CancellationReason | null
  transcript_creation_error: string | null
  transcript_id: string | null
  emission_id: string | null
  batch_id: string | null
  /** JSON: what was sent in. */
  input: string
  /** JSON: the entry in the registrar's book. */
  book: string | null
  /** Days, for inspection files. */
  emission_date: string | null
  registration_date: string | null
  concluded_at: string | null
  /** When a suspension ends by itself. */
  suspended_until: string | null
  /** When it was annulled after its conclusion: it is in every list from then on. */
  annulled_at: string | null
  /** Never set: places in status lists are rows of `wallet_entry`, for transcripts have them, too. */
  wallet_index: number | null
}

/** One row of `emission`. */
export interface EmissionRow extends Item, OfStudent, Signed {
  status: EmissionStatus
  /** What it was before it was canceled. */
  status_before: EmissionStatus | null
  nonce: string
  reason: string | null
  partnership_id: string | null
  registrar_institute_id: string | null
  registration_id: string | null
  /** Mirror of the registrar's request. */
  registration_status: RegistrationStatus | null
  registration_cancellation_reason: string | null
  degree_id: string | null
  batch_id: string | null
  /** JSON. */
  input: string
  sent_at: string | null
}

/** One row of `registration`: a request at the registrar. */
export interface RegistrationRow extends Item, OfStudent, Signed {
  status: RegistrationStatus
  description: string | null
  reason: string | null
  cancellation_reason: CancellationReason | null
  /** Null where the request came as a file from elsewhere. */
  partnership_id: string | null
  issuer_subscription_id: string | null
  emission_id: string | null
  nonce: string
  verification_code: string | null
  /** JSON: what the academic documentation says. */
  input: string
  /** JSON. */
  book: string | null
  expedition_date: string | null
  registration_date: string | null
  sent_to_issuer_at: string | null
  annulled_at: string | null
}

/** One row of `academic_transcript`. */
export interface AcademicTranscriptRow extends Item, OfStudent, Signed {
  status: TranscriptStatus
  type: TranscriptType
  verification_code: string
  reason: string | null
  degree_id: string | null
  batch_id: string | null
  input: string
  concluded_at: string | null
}

/** One row of `curriculum`. */
export interface CurriculumRow extends Item, Signed, Searched {
  status: CurriculumStatus
  code: string
  course: string
  course_id: string | null
  ies_name: string
  validation_code: string
  reason: string | null
  input: string
  concluded_at: string | null
}

/** One row of `cancellation_list`. */
export interface CancellationListRow extends Item, Signed {
  status: CancellationListStatus
  ies_code: string
  ies_name: string
  /** Strictly one more than the list before, in each institute. */
  sequence_number: number
  /** A day. */
  maximum_next_update_date: string
  items: number
  signed_at: string | null
}

/** One row of `inspection_file`. */
export interface InspectionFileRow extends Item, Signed {
  status: InspectionFileStatus
  type: InspectionFileType
  ies_code: string
  inspected_degrees: number
  start_date: string
  end_date: string
  details: string | null
}

/** One row of `restamp`. */
export interface RestampRow extends Item {
  status: RestampStatus
  document_type: RestampedDocument
  document_id: string
  /** Verification code of the document. */
  identifier: string
  archiving_expires_at: string
  /** When it is planned. */
  due_at: string
  error_reason: string | null
  /** How often it was planned anew. */
  updates: number
}

/** One row of `item_file`: bytes that belong to an item. A renewed file is another version; both stay. */
interface ItemFileRow {
  item_id: string
  /** `academic-documentation`, `public-xml`, `xml`, `rvdd`, `rvhe`, `rvce`. */
  name: string
  /** From 1; the newest is served. */
  version: number
  /** SHA-256, hex: of the blob, and the ETag. */
  digest: string
  bytes: number
  media_type: string
  created_at: string
}

/** The row of `blob_sweep`: when bytes that nothing refers to were removed last. */
interface BlobSweepRow {
  id: number
  swept_at: string
}

/** One row of `batch`: many items from one file. */
export interface BatchRow {
  id: string
  subscription_id: string
  institute_id: string
  kind: BatchKind
  status: BatchStatus
  /** Blob of the file. */
  digest: string
  format: BatchFormat
  /** JSON: flow, template and whatever else holds for every row. */
  options: string
  /** JSON: encoding, delimiter and columns of the file. */
  reading: string
  rows: number
  /** How many rows were looked at, and where the next one begins in the file. */
  next_row: number
  next_offset: number
  done: number
  failed: number
  /** Name of whoever sent the file. */
  created_by: string
  /** JSON: the same, as the makings of its items need it. */
  caller: string
  created_at: string
  updated_at: string
  finished_at: string | null
}

/** One row of `batch_row`: what became of a row of the file, written with the item that it became. */
export interface BatchRowRow {
  batch_id: string
  /** From 1. */
  number: number
  status: BatchRowStatus
  item_id: string | null
  /** JSON: a code, and sentences field by field. */
  errors: string | null
}

export interface DocumentTables {
  degree: DegreeRow
  emission: EmissionRow
  registration: RegistrationRow
  academic_transcript: AcademicTranscriptRow
  curriculum: CurriculumRow
  cancellation_list: CancellationListRow
  inspection_file: InspectionFileRow
  restamp: RestampRow
  item_file: ItemFileRow
  blob_sweep: BlobSweepRow
  batch: BatchRow
  batch_row: BatchRowRow
}

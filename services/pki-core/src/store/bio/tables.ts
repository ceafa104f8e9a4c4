import type { BioSessionType } from '../../contract/bio.ts'
import type { BioSessionState } from '../../rules/bio/session-states.ts'

/** One row of `bio_session`. Texts called sealed open in this row and column only. */
export interface BioSessionRow {
  id: string
  subscription_id: string
  application_id: string
  /** As the person is told who asks. */
  application: string
  type: BioSessionType
  state: BioSessionState
  /** Why it failed, in the words of its type; null where the type has none. */
  failure: string | null
  /** SHA-256 of the token of the page, base64url. */
  token_hash: string
  /** SHA-256 of the ticket, base64url. */
  ticket_hash: string
  /** When the ticket was used. */
  completed_at: string | null
  subject_identifier: string | null
  /** Whom it is about: given at the start, enrolled, or found. */
  subject_id: string | null
  overrides: number
  trusted_origin: string | null
  return_url: string | null
  /** JSON: when, which text, from where. */
  consent: string | null
  /** Attempts that were begun. */
  attempts: number
  /** The number of the frame that is expected. */
  frame: number
  /** Sealed JSON of the attempt under way: points and descriptors of the face. */
  capture: string | null
  /** Sealed JPEG, base64. */
  face_image: string | null
  created_at: string
  expires_at: string
  ended_at: string | null
}

/** One row of `bio_subject`. Deletion empties all that is about the person; the row says that there was one. */
export interface BioSubjectRow {
  id: string
  subscription_id: string
  /** What the application calls the person; null once it is deleted. */
  identifier: string | null
  face_id: string | null
  /** The engine that made the template. */
  engine: string | null
  /** Sealed numbers, base64. */
  template: string | null
  /** Sealed JPEG, base64. */
  face_image: string | null
  /** JSON, as of the session that enrolled. */
  consent: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
}

export interface BioTables {
  bio_session: BioSessionRow
  bio_subject: BioSubjectRow
}

// What the rows of a batch become: the same as single creations make, by the same code.
import type { Transaction } from 'kysely'
import type { DegreeOptions, EmissionOptions, TranscriptOptions } from '../../contract/batches.ts'
import type { BatchKind } from '../../contract/vocabulary.ts'
import type { Caller } from '../../rules/rights.ts'
import type { Tables } from '../../store/tables.ts'
import type { Issuing } from '../curriculums/curriculums.ts'
import { degreePlace, insertDegree, makeDegree } from '../degrees/make-degree.ts'
import { emissionPlace, insertEmission, makeEmission } from '../emissions/emissions.ts'
import { actorOf } from '../items/item-changes.ts'
import { insertTranscript, makeTranscript, transcriptGiven, transcriptPlace } from '../transcripts/transcripts.ts'

type Data = Readonly<Record<string, unknown>>

/** The own data of a row. */
export interface RowContent {
  readonly data: Data
  /** Of degrees. */
  readonly registration: Data
}

/** An item whose bytes are stored, and that is inserted with the row it was made from. */
export interface PreparedItem {
  readonly id: string
  insert(tx: Transaction<Tables>, now: Date): Promise<unknown>
}

/** Makes the item of a row, or refuses it. */
export type PrepareRow = (row: RowContent, batchId: string, now: Date) => Promise<PreparedItem>

/** What holds for every row: institution, course and flows are looked for once, and refused before any row. */
type OpenPlace<Options> = (issuing: Issuing, caller: Caller, options: Options) => Promise<PrepareRow>

const ofDegrees: OpenPlace<DegreeOptions> = async (issuing, caller, options) => {
  const { academicDocumentationFlowId, degreeFlowId, academicTranscriptFlowId, ...asked } = options
  const flows = {
    academicDocumentation: academicDocumentationFlowId ?? null,
    degree: degreeFlowId ?? null,
    academicTranscript: academicTranscriptFlowId ?? null,
  }
  const place = await degreePlace(issuing.context.store.db, caller, { ...asked, flows })
  return async (row, batchId, now) => {
    const made = await makeDegree(issuing, caller, place, { ...row, batchId }, now)
    return { id: made.row.id, insert: (tx, at) => insertDegree(issuing, tx, actorOf(caller), made, at) }
  }
}

const ofEmissions: OpenPlace<EmissionOptions> = async (issuing, caller, options) => {
  const place = await emissionPlace(issuing.context.store.db, caller, options)
  return async ({ data }, batchId, now) => {
    const made = await makeEmission(issuing, place, { data, batchId }, now)
    return { id: made.row.id, insert: (tx, at) => insertEmission(issuing, tx, actorOf(caller), made, at) }
  }
}

const ofTranscripts: OpenPlace<TranscriptOptions> = async (issuing, caller, options) => {
  const place = await transcriptPlace(issuing.context.store.db, caller, options)
  return async ({ data }, batchId, now) => {
    const made = await makeTranscript(issuing, transcriptGiven(place, { data, batchId }), now)
    return { id: made.row.id, insert: (tx, at) => insertTranscript(issuing, tx, made, actorOf(caller), at) }
  }
}

const places = {
  Degree: ofDegrees,
  Emission: ofEmissions,
  AcademicTranscript: ofTranscripts,
} as const

export type BatchOptions = DegreeOptions | EmissionOptions | TranscriptOptions

/** The options were checked by the schema of their kind. */
export const openPlace = (
  issuing: Issuing,
  caller: Caller,
  kind: BatchKind,
  options: BatchOptions,
): Promise<PrepareRow> => (places[kind] as OpenPlace<BatchOptions>)(issuing, caller, options)

// Academic transcripts: made from data, signed, suspended, canceled (credentials-platform facts 2.4).
import { type DocumentInput, institutionCode, newNonce, WRITTEN_VERSION } from '@chancela/academic-documents/layouts'
import { type Db, newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { NewTranscript, TranscriptCancellation } from '../../contract/curriculums.ts'
import type { EventModels } from '../../contract/models.ts'
import type { TranscriptType } from '../../contract/vocabulary.ts'
import type { KeptBytes } from '../../parts/signing/desk.ts'
import { filledIn } from '../../rules/filled-in.ts'
import type { Caller } from '../../rules/rights.ts'
import { wordKey } from '../../rules/search-key.ts'
import type { AcademicTranscriptRow } from '../../store/document-tables.ts'
import { isCodeTaken, liveCurriculum } from '../../store/item-codes.ts'
import { addTerms } from '../../store/item-terms.ts'
import type { Tables } from '../../store/tables.ts'
import type { InstituteRow } from '../../store/tenant-tables.ts'
import type { Issuing, Making } from '../curriculums/curriculums.ts'
import {
  type ChosenFlow,
  courseNameIn,
  courseOf,
  flowOf,
  issuerOf,
  requireIssuer,
  shortCourseField,
} from '../items/institution-data.ts'
import { type Actor, actorOf, change, requireMayEnd, signingDesk, tellCreated } from '../items/item-changes.ts'
import { requiredItem, viewOf } from '../items/item-reads.ts'
import { requireNotGiven, written } from '../items/layouts.ts'
import { unsigned, untilCodeIsFree } from '../items/making.ts'
import { once } from '../once.ts'
import { requiredInstitute } from '../tenants/institutes.ts'

const roots = {
  Partial: 'documentoHistoricoEscolarParcial',
  Final: 'documentoHistoricoEscolarFinal',
  SecondCopyBornPhysical: 'documentoHistoricoEscolarSegundaViaNatoFisico',
} as const satisfies Readonly<Record<TranscriptType, string>>

export interface MadeTranscript {
  readonly row: AcademicTranscriptRow
  readonly kept: KeptBytes
  readonly flow: ChosenFlow | undefined
}

/** What a transcript is made of: data of the layout without institution and code. */
export interface TranscriptGiven {
  readonly subscriptionId: string
  readonly institute: InstituteRow
  readonly courseId: string | null
  readonly type: TranscriptType
  readonly data: Readonly<Record<string, unknown>>
  readonly flow: ChosenFlow | undefined
  readonly degreeId: string | null
  readonly batchId: string | null
}

interface Student {
  readonly id?: string
  readonly nome?: string
  readonly nomeSocial?: string
  readonly cpf?: string
}

/** The concluded curriculum that a transcript names, where the institution has it here. */
async function curriculumOf(
  db: Db<Tables>,
  { id }: InstituteRow,
  data: TranscriptGiven['data'],
): Promise<DocumentInput<'curriculum'> | undefined> {
  const { codigoCurriculo } = (data.historicoEscolar ?? {}) as { codigoCurriculo?: unknown }
  if (typeof codigoCurriculo !== 'string') return undefined
  const found = await liveCurriculum(db, id, codigoCurriculo)
  return found?.status === 'Concluded' ? JSON.parse(found.input) : undefined
}

/** Writes a transcript and stores its bytes; nothing is inserted yet. */
export async function makeTranscript(
  { context, desk }: Making,
  given: TranscriptGiven,
  now: Date,
): Promise<MadeTranscript> {
  const { db } = context.store
  const { institute, data, type, flow } = given
  const student = (data.aluno ?? {}) as Student
  const ingredients = {
    matricula: student.id ?? '',
    cpf: student.cpf ?? '',
    curso: courseNameIn(data),
    cnpjEmissora: institute.cnpj,
    nonce: newNonce(),
  }
  const isTaken = (code: string) => isCodeTaken(db, 'academic_transcript', code)
  const code = await institutionCode(institute.code, ingredients, isTaken)
  const body = { ...data, iesEmissora: issuerOf(institute), segurancaHistorico: { codigoValidacao: code } }
  const curriculum = await curriculumOf(db, institute, data)
  const { bytes, input } = written(
    'academicTranscript',
    { [roots[type]]: { infHistoricoEscolar: body } },
    { root: `${roots[type]}.infHistoricoEscolar`, ...(curriculum && { context: { curriculum } }) },
  )
  const at = now.toISOString()
  const row: AcademicTranscriptRow = {
    id: newRowId(now),
    subscription_id: given.subscriptionId,
    institute_id: institute.id,
    version: WRITTEN_VERSION,
    status: 'Pending',
    search_key: wordKey([student.nome ?? '', student.nomeSocial ?? null, student.cpf ?? '', courseNameIn(body), code]),
    student_name: student.nome ?? '',
    student_social_name: student.nomeSocial ?? null,
    student_cpf: student.cpf ?? '',
    course: courseNameIn(body),
    course_id: given.courseId,
    issuing_ies: institute.name,
    ...unsigned,
    flow_id: flow?.id ?? null,
    type,
    verification_code: code,
    reason: null,
    degree_id: given.degreeId,
    batch_id: given.batchId,
    input: JSON.stringify(input),
    concluded_at: null,
    created_at: at,
    updated_at: at,
  }
  return { row, flow, kept: await desk.keep(bytes) }
}

/** Inserts a transcript that was made, and has it signed. */
export async function insertTranscript(
  { context, desk }: Issuing,
  tx: Transaction<Tables>,
  { row, kept, flow }: MadeTranscript,
  actor: Actor,
  now: Date,
): Promise<void> {
  await tx.insertInto('academic_transcript').values(row).execute()
  await addTerms(tx, 'academic_transcript', [row])
  const owner = { kind: 'AcademicTranscript', item: row } as const
  await desk.open(tx, { owner, documentKind: 'academicTranscript', kept, fileName: 'xml', flow: flow?.steps }, now)
  await tellCreated(context, tx, 'AcademicTranscript', row, actor, now)
}

export async function create(
  issuing: Issuing,
  caller: Caller,
  asked: NewTranscript,
  key: string | undefined,
  now: Date,
): Promise<EventModels['AcademicTranscript']> {
  const { context } = issuing
  const { db } = context.store
  let code = ''
  const request = { caller, operation: 'createAcademicTranscript', key, request: asked }
  return untilCodeIsFree(
    async () => {
      const made = await makeTranscript(issuing, transcriptGiven(await transcriptPlace(db, caller, asked), asked), now)
      code = made.row.verification_code
      return once(
        context,
        request,
        async (tx) => {
          await insertTranscript(issuing, tx, made, actorOf(caller), now)
          return viewOf('AcademicTranscript', made.row)
        },
        now,
      )
    },
    () => isCodeTaken(db, 'academic_transcript', code),
  )
}

/** Where transcripts are made, and by whom they are signed: the same for every transcript of a batch. */
export type TranscriptPlace = Awaited<ReturnType<typeof transcriptPlace>>

export async function transcriptPlace(db: Db<Tables>, caller: Caller, asked: Omit<NewTranscript, 'data'>) {
  const institute = await requiredInstitute(db, caller, asked.instituteId)
  requireIssuer(institute)
  const course = await courseOf(db, caller, institute, asked.courseId)
  const flow = await flowOf(db, caller, institute, 'AcademicTranscript', asked.flowId)
  return { institute, course, flow, type: asked.type }
}

interface TranscriptContent extends Pick<NewTranscript, 'data'> {
  readonly batchId?: string
}

/** What is asked for one, with the course that fills its field in. */
export function transcriptGiven(
  { institute, course, flow, type }: TranscriptPlace,
  { data, batchId }: TranscriptContent,
): TranscriptGiven {
  requireNotGiven(data, filledIn.transcript)
  return {
    subscriptionId: institute.subscription_id,
    institute,
    courseId: course?.id ?? null,
    type,
    data: { ...data, ...shortCourseField(data, course, institute) },
    flow,
    degreeId: null,
    batchId: batchId ?? null,
  }
}

/** The last signature concludes a transcript. */
export function concludeTranscripts({ context, desk }: Issuing): void {
  desk.onClosed('AcademicTranscript', {
    async closed(tx, { owner_id: id }, _, now) {
      const set = { concluded_at: now.toISOString() }
      const moved = {
        kind: 'AcademicTranscript',
        id,
        move: 'conclude',
        set,
        event: 'AcademicTranscriptConcluded',
      } as const
      await change(context, tx, moved, signingDesk, now)
    },
  })
}

const cancellations = {
  suspend: 'AcademicTranscriptCanceledTemporarily',
  cancel: 'AcademicTranscriptCanceled',
  restore: 'AcademicTranscriptRestored',
} as const

/** Suspends, cancels or restores one, for a reason. */
export async function changeTranscript(
  { context, desk }: Issuing,
  tx: Transaction<Tables>,
  id: string,
  move: keyof typeof cancellations,
  reason: string,
  actor: Actor,
  now: Date,
): Promise<AcademicTranscriptRow> {
  const moved = { kind: 'AcademicTranscript', id, move, set: { reason }, event: cancellations[move] } as const
  const row = await change(context, tx, { ...moved, data: { reason } }, actor, now)
  if (move === 'cancel') await desk.withdraw(tx, id, now)
  return row
}

const changing = async (
  issuing: Issuing,
  caller: Caller,
  id: string,
  move: keyof typeof cancellations,
  reason: string,
  now: Date,
): Promise<EventModels['AcademicTranscript']> =>
  issuing.context.store.transaction(async (tx) => {
    const item = await requiredItem(tx, caller, 'AcademicTranscript', id)
    if (move === 'cancel') requireMayEnd(caller, item)
    const row = await changeTranscript(issuing, tx, item.id, move, reason, actorOf(caller), now)
    return viewOf('AcademicTranscript', row)
  })

export const cancel = (
  issuing: Issuing,
  caller: Caller,
  id: string,
  { temporary = false, reason }: TranscriptCancellation,
  now: Date,
) => changing(issuing, caller, id, temporary ? 'suspend' : 'cancel', reason, now)

export const restore = (issuing: Issuing, caller: Caller, id: string, reason: string, now: Date) =>
  changing(issuing, caller, id, 'restore', reason, now)

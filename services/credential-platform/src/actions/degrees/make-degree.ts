// A degree is made from data: documentation, the registrar's part, and the final transcript (credentials-platform facts
// 2.1).
import { WRITTEN_VERSION } from '@chancela/academic-documents/layouts'
import { Refusal } from '@chancela/service-kernel/errors'
import { type Db, newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { NewDegree } from '../../contract/degrees.ts'
import type { EventModels } from '../../contract/models.ts'
import type { KeptBytes } from '../../parts/signing/desk.ts'
import { filledIn } from '../../rules/filled-in.ts'
import { bookIn, bookPlace, type Registrable } from '../../rules/registration-data.ts'
import type { Caller } from '../../rules/rights.ts'
import { wordKey } from '../../rules/search-key.ts'
import type { DegreeRow } from '../../store/document-tables.ts'
import { addTerms } from '../../store/item-terms.ts'
import { claimBookEntry } from '../../store/registry.ts'
import type { Tables } from '../../store/tables.ts'
import type { InstituteRow } from '../../store/tenant-tables.ts'
import type { Issuing, Making } from '../curriculums/curriculums.ts'
import {
  type ChosenFlow,
  courseOf,
  flowOf,
  requireIssuer,
  requireRegistrar,
  shortCourse,
} from '../items/institution-data.ts'
import { type Actor, actorOf, tellCreated } from '../items/item-changes.ts'
import { viewOf } from '../items/item-reads.ts'
import { requireNotGiven } from '../items/layouts.ts'
import { unsigned } from '../items/making.ts'
import { once } from '../once.ts'
import { freeCode, registrationBytes } from '../registrations/registration-part.ts'
import { requiredInstitute } from '../tenants/institutes.ts'
import { insertTranscript, type MadeTranscript, makeTranscript } from '../transcripts/transcripts.ts'
import { type Documentation, makeDocumentation } from './documentation.ts'

type Node = Readonly<Record<string, unknown>>

/** What is registered, as far as the row of a degree keeps it. */
type Registered = Pick<Documentation, 'nonce' | 'form' | 'request' | 'student' | 'course'>

/** What the row of a degree keeps of how it was made. */
export interface DegreeInput extends Registered {
  /** Steps of the flow of the public XML, as they were when it was made. */
  readonly degreeFlow?: ChosenFlow['steps']
}

export interface MadeDegree {
  readonly row: DegreeRow
  readonly kept: KeptBytes
  readonly flow: ChosenFlow | undefined
  readonly transcript: MadeTranscript | undefined
}

export async function create(
  issuing: Issuing,
  caller: Caller,
  asked: NewDegree,
  key: string | undefined,
  now: Date,
): Promise<EventModels['Degree']> {
  const place = await degreePlace(issuing.context.store.db, caller, asked)
  const made = await makeDegree(issuing, caller, place, asked, now)
  const request = { caller, operation: 'createDegree', key, request: asked }
  return once(issuing.context, request, (tx) => insertDegree(issuing, tx, actorOf(caller), made, now), now)
}

/** Where degrees are made, and by whom they are signed: the same for every degree of a batch. */
export type DegreePlace = Awaited<ReturnType<typeof degreePlace>>

export async function degreePlace(db: Db<Tables>, caller: Caller, asked: Omit<NewDegree, 'data' | 'registration'>) {
  const { flows = {}, createAcademicTranscript = true } = asked
  const institute = await requiredInstitute(db, caller, asked.instituteId)
  requireIssuer(institute)
  const registrar = asked.registrarInstituteId
    ? await requiredInstitute(db, caller, asked.registrarInstituteId)
    : institute
  requireRegistrar(registrar, asked.registrarInstituteId ? 'registrarInstituteId' : 'instituteId')
  const course = await courseOf(db, caller, institute, asked.courseId)
  const flow = await flowOf(
    db,
    caller,
    institute,
    'AcademicDocumentation',
    flows.academicDocumentation,
    'flows.academicDocumentation',
  )
  const degreeFlow = await flowOf(db, caller, registrar, 'Degree', flows.degree, 'flows.degree')
  return {
    institute,
    registrar,
    course,
    flow,
    degreeFlow,
    createAcademicTranscript,
    transcriptFlowId: flows.academicTranscript,
  }
}

/** What is one degree's own. */
interface DegreeContent extends Pick<NewDegree, 'data' | 'registration'> {
  readonly batchId?: string
}

/** Writes a degree and stores its bytes; nothing is inserted yet. */
export async function makeDegree(
  issuing: Making,
  caller: Caller,
  place: DegreePlace,
  { data, registration, batchId }: DegreeContent,
  now: Date,
): Promise<MadeDegree> {
  const { db } = issuing.context.store
  const { institute, registrar, course, flow, degreeFlow } = place
  const documentation = makeDocumentation(data, institute, course)
  const { nonce, form, request, student, course: studies } = documentation
  await checkRegistration(db, registrable(documentation, institute), registrar, registration)
  const input: DegreeInput = {
    nonce,
    form,
    request,
    student,
    course: studies,
    ...(degreeFlow && { degreeFlow: degreeFlow.steps }),
  }
  const at = now.toISOString()
  const row: DegreeRow = {
    id: newRowId(now),
    subscription_id: caller.subscriptionId,
    institute_id: institute.id,
    version: WRITTEN_VERSION,
    status: 'Pending',
    ...studentColumns(documentation, institute),
    course_id: course?.id ?? null,
    ...unsigned,
    flow_id: flow?.id ?? null,
    was_restored: 0,
    registrar_institute_id: registrar.id,
    registering_ies: registrar.name,
    nonce,
    verification_code: null,
    reason: null,
    cancellation_reason: null,
    transcript_creation_error: null,
    transcript_id: null,
    emission_id: null,
    batch_id: batchId ?? null,
    input: JSON.stringify(input),
    book: JSON.stringify(registration),
    ...daysIn(registration),
    concluded_at: null,
    suspended_until: null,
    annulled_at: null,
    wallet_index: null,
    created_at: at,
    updated_at: at,
  }
  const wanted = documentation.isFirstCopy && place.createAcademicTranscript
  const transcript = wanted
    ? await tryTranscript(issuing, caller, row, institute, place.transcriptFlowId, now)
    : undefined
  return {
    row: {
      ...row,
      ...(typeof transcript === 'string' && { transcript_creation_error: transcript }),
      ...linked(transcript),
    },
    flow,
    transcript: typeof transcript === 'string' ? undefined : transcript,
    kept: await issuing.desk.keep(documentation.bytes),
  }
}

/** Written now for its problems; the code is chosen again when the public XML is made. */
async function checkRegistration(
  db: Db<Tables>,
  own: Registrable,
  registrar: InstituteRow,
  data: NewDegree['registration'],
): Promise<void> {
  requireNotGiven(data, filledIn.registration, 'registration')
  const registration = { data, field: 'registration' }
  registrationBytes(own, registrar, registration, await freeCode(db, own, registrar, registration))
}

/** An own degree as its registrar sees it. */
export const registrable = (
  { nonce, form, request, student, course }: Registered,
  { code, cnpj }: InstituteRow,
): Registrable => ({
  nonce,
  form,
  ambiente: typeof request.ambiente === 'string' ? request.ambiente : null,
  degreeData: request[form] as Node,
  student: { id: student.id || null, cpf: student.cpf },
  course: { code: course.code || null },
  issuer: { code, cnpj },
})

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The days of the book that lists and inspection files look for. */
const daysIn = (registration: Node) => ({
  emission_date: textOf(bookIn(registration).dataExpedicaoDiploma),
  registration_date: textOf(bookIn(registration).dataRegistroDiploma),
})

const linked = (transcript: MadeTranscript | string | undefined) =>
  typeof transcript === 'object' ? { transcript_id: transcript.row.id } : {}

/** What the models say of a student, from the documentation. */
export const studentColumns = (
  { student, course }: Pick<Documentation, 'student' | 'course'>,
  { name }: InstituteRow,
) => ({
  search_key: wordKey([student.name, student.socialName, student.cpf, course.name]),
  student_name: student.name,
  student_social_name: student.socialName,
  student_cpf: student.cpf,
  course: course.name,
  issuing_ies: name,
})

/** The final transcript of a degree: it is in the documentation already. */
export async function degreeTranscript(
  issuing: Making,
  caller: Caller,
  { id, input, course_id, batch_id }: Pick<DegreeRow, 'id' | 'input' | 'course_id' | 'batch_id'>,
  institute: InstituteRow,
  flowId: string | null | undefined,
  now: Date,
): Promise<MadeTranscript> {
  const { form, request } = JSON.parse(input) as DegreeInput
  const degreeData = request[form] as Node
  const { historicoEscolar } = request.dadosPrivadosDiplomado as Node
  const flow = await flowOf(issuing.context.store.db, caller, institute, 'AcademicTranscript', flowId)
  const courseName = form === 'dadosDiploma' ? 'dadosCurso' : 'dadosCursoNSF'
  const data = {
    ...(request.ambiente !== undefined && { ambiente: request.ambiente }),
    aluno: degreeData.diplomado,
    [courseName]: shortCourse(degreeData.dadosCurso as object),
    historicoEscolar,
  }
  const own = { subscriptionId: caller.subscriptionId, institute, courseId: course_id, degreeId: id, batchId: batch_id }
  return makeTranscript(issuing, { ...own, type: 'Final', data, flow }, now)
}

/** A degree does not fail because its transcript does: why it does is told with the degree. */
async function tryTranscript(
  issuing: Making,
  caller: Caller,
  row: DegreeRow,
  institute: InstituteRow,
  flowId: string | null | undefined,
  now: Date,
): Promise<MadeTranscript | string> {
  try {
    return await degreeTranscript(issuing, caller, row, institute, flowId, now)
  } catch (error) {
    // A flow that is not there is a mistake of the request.
    if (!(error instanceof Refusal) || error.code !== 'invalid-data') throw error
    return sentenceOf(error)
  }
}

const sentenceOf = ({ message, details }: Refusal): string => {
  const { fields = {} } = (details ?? {}) as { fields?: Readonly<Record<string, readonly string[]>> }
  return [message, ...Object.entries(fields).map(([path, sentences]) => `${path}: ${sentences.join(' ')}`)]
    .join(' ')
    .slice(0, 2000)
}

/** Inserts a degree that was made, and has it signed. */
export async function insertDegree(
  issuing: Issuing,
  tx: Transaction<Tables>,
  actor: Actor,
  made: MadeDegree,
  now: Date,
) {
  const { context, desk } = issuing
  const { row, kept, flow, transcript } = made
  await tx.insertInto('degree').values(row).execute()
  await claimLine(tx, row, now)
  await addTerms(tx, 'degree', [row])
  await desk.open(
    tx,
    {
      owner: { kind: 'Degree', item: row },
      documentKind: 'academicDocumentation',
      kept,
      fileName: 'academic-documentation',
      flow: flow?.steps,
    },
    now,
  )
  await tellCreated(context, tx, 'Degree', row, actor, now)
  if (transcript) await insertTranscript(issuing, tx, transcript, actor, now)
  return viewOf('Degree', row)
}

/** From now on the line of the registrar's book is this degree's: two that wait for signatures could not both have it. */
const claimLine = (
  tx: Transaction<Tables>,
  { id, book, registrar_institute_id }: DegreeRow,
  now: Date,
): Promise<void> => {
  const entry = bookPlace(bookIn(JSON.parse(book!)))
  const line = { instituteId: registrar_institute_id!, entry, itemId: id, field: 'registration.livroRegistro' }
  return claimBookEntry(tx, line, now)
}

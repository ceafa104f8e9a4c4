// What the layouts say of an institution and of a course, from what was set up.
import type { Db } from '@chancela/service-kernel/store'
import type { flowDocuments, KeptStep } from '../../contract/setup.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import { iesOf } from '../../rules/registration-data.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import { findOwned } from '../../store/owned-rows.ts'
import type { Tables } from '../../store/tables.ts'
import type { InstituteRow, TenantTables } from '../../store/tenant-tables.ts'

type CourseRow = TenantTables['course']

/** The issuer of a document. */
export function issuerOf(institute: InstituteRow): object {
  const { atoRegulatorioAutorizacaoRegistro: _, ...ies } = iesOf(institute) as Record<string, unknown>
  return ies
}

/** Who may issue. */
export function requireIssuer({ kind }: InstituteRow, field = 'instituteId'): void {
  if (kind === 'Registrar') throw wrongData({ [field]: ['is an institution that only registers'] })
}

export function requireRegistrar({ kind }: InstituteRow, field = 'registrarInstituteId'): void {
  if (kind === 'Issuer') throw wrongData({ [field]: ['is an institution that only issues'] })
}

/** A course of the institution; undefined where none is named. */
export async function courseOf(
  db: Db<Tables>,
  { subscriptionId }: Caller,
  institute: InstituteRow,
  courseId: string | null | undefined,
): Promise<CourseRow | undefined> {
  if (!courseId) return undefined
  const course = await findOwned(db, 'course', subscriptionId, idOf(courseId))
  if (!course) throw refuse('course-not-found', { id: courseId })
  if (course.institute_id !== institute.id) throw wrongData({ courseId: ['is a course of another institution'] })
  return course
}

const fullFields = (course: CourseRow): Record<string, unknown> => ({
  nomeCurso: course.name,
  ...(course.emec_code !== null && { codigoCursoEMEC: course.emec_code }),
  ...(JSON.parse(course.data) as object),
})

/** A course as degrees describe it. */
export function courseData(course: CourseRow, { isFederal }: { readonly isFederal: boolean }): object {
  const { enfase, ...data } = fullFields(course)
  return isFederal && enfase !== undefined ? { ...data, enfase } : data
}

const shortNames = [
  'nomeCurso',
  'codigoCursoEMEC',
  'semCodigoCursoEMEC',
  'habilitacao',
  'autorizacao',
  'reconhecimento',
  'renovacaoReconhecimento',
]

/** The same, shorter, as transcripts and curriculums do. */
export const shortCourse = (data: object): object =>
  Object.fromEntries(Object.entries(data).filter(([name]) => shortNames.includes(name)))

/** `dadosCurso` of a transcript or curriculum: as it was given, or of the course that was named. */
export function shortCourseField(
  data: Readonly<Record<string, unknown>>,
  course: CourseRow | undefined,
  { federal_system }: InstituteRow,
): object {
  if (!course) return {}
  const given = ['dadosCurso', 'dadosCursoNSF'].filter((name) => Object.hasOwn(data, name))
  if (given.length > 0)
    throw wrongData(Object.fromEntries(given.map((name) => [`data.${name}`, ['is that of courseId']])))
  return { [federal_system === 1 ? 'dadosCurso' : 'dadosCursoNSF']: shortCourse(fullFields(course)) }
}

/** Name of the course in a part of a document that has one. */
export function courseNameIn(part: Readonly<Record<string, unknown>>): string {
  const course = (part.dadosCurso ?? part.dadosCursoNSF ?? {}) as { nomeCurso?: unknown }
  return typeof course.nomeCurso === 'string' ? course.nomeCurso : ''
}

export interface ChosenFlow {
  readonly id: string
  readonly steps: readonly KeptStep[]
}

/** The flow that was named, which is one of the organization's for this kind of document. */
export async function flowOf(
  db: Db<Tables>,
  { subscriptionId }: Pick<Caller, 'subscriptionId'>,
  institute: InstituteRow,
  documentKind: (typeof flowDocuments)[number],
  flowId: string | null | undefined,
  field = 'flowId',
): Promise<ChosenFlow | undefined> {
  if (!flowId) return undefined
  const flow = await findOwned(db, 'flow', subscriptionId, idOf(flowId))
  if (!flow) throw refuse('flow-not-found', { id: flowId })
  if (flow.document_kind !== documentKind) throw wrongData({ [field]: [`is a flow of ${flow.document_kind}`] })
  if (flow.institute_id !== null && flow.institute_id !== institute.id)
    throw wrongData({ [field]: ['is a flow of another institution'] })
  return { id: flow.id, steps: JSON.parse(flow.steps) }
}

/** The newest flow of an institution, or of its organization, for documents that nobody names a flow for. */
export async function standingFlow(
  db: Db<Tables>,
  { id, subscription_id }: InstituteRow,
  documentKind: 'CancellationList' | 'InspectionFile',
): Promise<ChosenFlow | undefined> {
  const found = await db
    .selectFrom('flow')
    .select(['id', 'steps'])
    .where('subscription_id', '=', subscription_id)
    .where('document_kind', '=', documentKind)
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('institute_id', '=', id), eb('institute_id', 'is', null)]))
    .orderBy('institute_id', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found && { id: found.id, steps: JSON.parse(found.steps) }
}

// Curriculums: made from data, signed, canceled (credentials-platform facts 2.5).
import { type DocumentInput, institutionCode, newNonce, WRITTEN_VERSION } from '@chancela/academic-documents/layouts'
import { type Db, newRowId } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import type { NewCurriculum } from '../../contract/curriculums.ts'
import type { EventModels } from '../../contract/models.ts'
import type { KeptBytes, SigningDesk } from '../../parts/signing/desk.ts'
import { filledIn } from '../../rules/filled-in.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { wordKey } from '../../rules/search-key.ts'
import type { CurriculumRow } from '../../store/document-tables.ts'
import { isCodeTaken, liveCurriculum } from '../../store/item-codes.ts'
import { addTerms } from '../../store/item-terms.ts'
import type { Tables } from '../../store/tables.ts'
import {
  type ChosenFlow,
  courseNameIn,
  courseOf,
  flowOf,
  issuerOf,
  requireIssuer,
  shortCourseField,
} from '../items/institution-data.ts'
import { actorOf, change, requireMayEnd, signingDesk, tellCreated } from '../items/item-changes.ts'
import { requiredItem, viewOf } from '../items/item-reads.ts'
import { requireNotGiven, written } from '../items/layouts.ts'
import { unsigned, untilCodeIsFree } from '../items/making.ts'
import { once } from '../once.ts'
import { requiredInstitute } from '../tenants/institutes.ts'

export interface Issuing {
  readonly context: Context
  readonly desk: SigningDesk
}

/** What making an item needs before it is inserted; a check gives a desk that keeps nothing. */
export interface Making {
  readonly context: Context
  readonly desk: Pick<SigningDesk, 'keep'>
}

const ROOT = 'curriculoEscolar.infCurriculoEscolar'

interface Made {
  readonly row: CurriculumRow
  readonly kept: KeptBytes
  readonly flow: ChosenFlow | undefined
}

export async function create(
  issuing: Issuing,
  caller: Caller,
  asked: NewCurriculum,
  key: string | undefined,
  now: Date,
): Promise<EventModels['Curriculum']> {
  const { context } = issuing
  let code = ''
  const make = async () => {
    const made = await makeCurriculum(issuing, caller, asked, now)
    code = made.row.validation_code
    return made
  }
  const request = { caller, operation: 'createCurriculum', key, request: asked }
  return untilCodeIsFree(
    async () => {
      const made = await make()
      return once(context, request, (tx) => insert(issuing, tx, caller, made, now), now)
    },
    () => isCodeTaken(context.store.db, 'curriculum', code),
  )
}

export async function makeCurriculum(
  { context, desk }: Making,
  caller: Caller,
  asked: NewCurriculum,
  now: Date,
): Promise<Made> {
  const { db } = context.store
  const institute = await requiredInstitute(db, caller, asked.instituteId)
  requireIssuer(institute)
  requireNotGiven(asked.data, filledIn.curriculum)
  const course = await courseOf(db, caller, institute, asked.courseId)
  const flow = await flowOf(db, caller, institute, 'Curriculum', asked.flowId)
  const ownCode = String(asked.data.codigoCurriculo ?? '')
  const ingredients = { curso: ownCode, cnpjEmissora: institute.cnpj, nonce: newNonce() }
  const validationCode = await institutionCode(institute.code, ingredients, (code) =>
    isCodeTaken(db, 'curriculum', code),
  )
  const body = {
    ...asked.data,
    ...shortCourseField(asked.data, course, institute),
    iesEmissora: issuerOf(institute),
    segurancaCurriculo: { codigoValidacao: validationCode },
  }
  const { bytes, input } = written('curriculum', { curriculoEscolar: { infCurriculoEscolar: body } }, { root: ROOT })
  const courseName = courseNameIn(body)
  const at = now.toISOString()
  const row: CurriculumRow = {
    id: newRowId(now),
    subscription_id: caller.subscriptionId,
    institute_id: institute.id,
    version: WRITTEN_VERSION,
    status: 'Pending',
    search_key: wordKey([ownCode, courseName, institute.name, validationCode]),
    ...unsigned,
    flow_id: flow?.id ?? null,
    code: ownCode,
    course: courseName,
    course_id: course?.id ?? null,
    ies_name: institute.name,
    validation_code: validationCode,
    reason: null,
    input: JSON.stringify(input),
    concluded_at: null,
    created_at: at,
    updated_at: at,
  }
  return { row, flow, kept: await desk.keep(bytes) }
}

async function insert({ context, desk }: Issuing, tx: Transaction<Tables>, caller: Caller, made: Made, now: Date) {
  const { row, kept, flow } = made
  await requireFreeCode(tx, row)
  await tx.insertInto('curriculum').values(row).execute()
  await addTerms(tx, 'curriculum', [row])
  const owner = { kind: 'Curriculum', item: row } as const
  await desk.open(tx, { owner, documentKind: 'curriculum', kept, fileName: 'xml', flow: flow?.steps }, now)
  await tellCreated(context, tx, 'Curriculum', row, actorOf(caller), now)
  return viewOf('Curriculum', row)
}

/** No two curriculums that count have one code at an institution. */
export async function requireFreeCode(db: Db<Tables>, { institute_id, code }: CurriculumRow): Promise<void> {
  if (await liveCurriculum(db, institute_id, code))
    throw refuse('already-exists', { fields: { 'data.codigoCurriculo': ['is that of another curriculum'] } })
}

/** What was asked for, without what the platform filled in: it can be asked for again. */
export async function readData({ store }: Pick<Context, 'store'>, caller: Caller, id: string) {
  const { institute_id, course_id, input } = await requiredItem(store.db, caller, 'Curriculum', id)
  const whole = JSON.parse(input) as DocumentInput<'curriculum'>
  const filled: readonly string[] = [
    ...filledIn.curriculum,
    ...(course_id === null ? [] : ['dadosCurso', 'dadosCursoNSF']),
  ]
  const given = Object.entries(whole.curriculoEscolar.infCurriculoEscolar).filter(([name]) => !filled.includes(name))
  return { instituteId: institute_id, courseId: course_id, data: Object.fromEntries(given) }
}

/** The last signature concludes a curriculum. */
export function concludeCurriculums({ context, desk }: Issuing): void {
  desk.onClosed('Curriculum', {
    async closed(tx, { owner_id: id }, _, now) {
      const set = { concluded_at: now.toISOString() }
      const moved = { kind: 'Curriculum', id, move: 'conclude', set, event: 'CurriculumConcluded' } as const
      await change(context, tx, moved, signingDesk, now)
    },
  })
}

export async function cancel(
  { context, desk }: Issuing,
  caller: Caller,
  id: string,
  reason: string,
  now: Date,
): Promise<EventModels['Curriculum']> {
  return context.store.transaction(async (tx) => {
    const item = await requiredItem(tx, caller, 'Curriculum', id)
    requireMayEnd(caller, item)
    const moved = {
      kind: 'Curriculum',
      id: item.id,
      move: 'cancel',
      set: { reason },
      event: 'CurriculumCanceled',
    } as const
    const row = await change(context, tx, { ...moved, data: { reason } }, actorOf(caller), now)
    await desk.withdraw(tx, row.id, now)
    return viewOf('Curriculum', row)
  })
}

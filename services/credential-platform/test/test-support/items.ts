// Items of every kind, put into the store and changed as the service does it: a move and an announcement together.
import { type Db, move, newRowId } from '@chancela/service-kernel/store'
import { announce } from '../../src/actions/webhooks/announce.ts'
import type { EventKind } from '../../src/contract/vocabulary.ts'
import * as moves from '../../src/rules/moves.ts'
import type { DocumentTables } from '../../src/store/document-tables.ts'
import { tableOfKind } from '../../src/store/items.ts'
import type { Tables } from '../../src/store/tables.ts'
import type { CredentialWorld } from './credential-world.ts'

interface Place {
  readonly subscriptionId: string
  readonly instituteId: string
}

const student = {
  search_key: ' ana beatriz souza 52998224725 pedagogia',
  student_name: 'Ana Beatriz Souza',
  student_social_name: null,
  student_cpf: '52998224725',
  course: 'Pedagogia',
  course_id: null,
  issuing_ies: 'Faculdade Exemplo',
}
const signed = { flow_id: null, signer_document_id: null, signer_document_url: null, signing_error: null }

const digits = (length: number): string => Array.from({ length }, () => Math.floor(Math.random() * 10)).join('')

const code = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 12)

/** What the rows of a kind have besides the common columns, just made. */
const made: { readonly [Table in keyof DocumentTables]?: () => object } = {
  degree: () => ({
    status: 'Pending',
    ...student,
    ...signed,
    was_restored: 0,
    registrar_institute_id: null,
    registering_ies: 'Universidade Exemplo',
    nonce: digits(44),
    verification_code: null,
    reason: null,
    cancellation_reason: null,
    transcript_creation_error: null,
    transcript_id: null,
    emission_id: null,
    batch_id: null,
    input: '{}',
    book: null,
    emission_date: null,
    registration_date: null,
    concluded_at: null,
    suspended_until: null,
    annulled_at: null,
    wallet_index: null,
  }),
  emission: () => ({
    status: 'Created',
    ...student,
    ...signed,
    status_before: null,
    nonce: digits(44),
    reason: null,
    partnership_id: null,
    registrar_institute_id: null,
    registration_id: null,
    registration_status: null,
    registration_cancellation_reason: null,
    degree_id: null,
    batch_id: null,
    input: '{}',
    sent_at: null,
  }),
  registration: () => ({
    status: 'AwaitingAcceptance',
    ...student,
    ...signed,
    description: 'Turma de 2025',
    reason: null,
    cancellation_reason: null,
    partnership_id: null,
    issuer_subscription_id: null,
    emission_id: null,
    nonce: digits(44),
    verification_code: null,
    input: '{}',
    book: null,
    expedition_date: null,
    registration_date: null,
    sent_to_issuer_at: null,
    annulled_at: null,
  }),
  academic_transcript: () => ({
    status: 'Pending',
    ...student,
    ...signed,
    type: 'Final',
    verification_code: `100.${code()}`,
    reason: null,
    degree_id: null,
    batch_id: null,
    input: '{}',
    concluded_at: null,
  }),
  curriculum: () => ({
    status: 'Pending',
    search_key: ' pedagogia',
    ...signed,
    code: `PED-${code()}`,
    course: 'Pedagogia',
    course_id: null,
    ies_name: 'Faculdade Exemplo',
    validation_code: `100.${code()}`,
    reason: null,
    input: '{}',
    concluded_at: null,
  }),
  cancellation_list: () => ({
    status: 'Created',
    ...signed,
    ies_code: '200',
    ies_name: 'Universidade Exemplo',
    sequence_number: 1,
    maximum_next_update_date: '2026-04-01',
    items: 0,
    signed_at: null,
  }),
  inspection_file: () => ({
    status: 'Generating',
    ...signed,
    type: 'Issuer',
    ies_code: '100',
    inspected_degrees: 0,
    start_date: '2026-01-01',
    end_date: '2026-01-31',
    details: null,
  }),
  restamp: () => ({
    status: 'Scheduled',
    document_type: 'Degree',
    document_id: crypto.randomUUID(),
    identifier: `100.200.${code()}`,
    archiving_expires_at: '2026-09-01T00:00:00.000Z',
    due_at: '2026-06-01T00:00:00.000Z',
    error_reason: null,
    updates: 0,
  }),
}

const movesOf = {
  Degree: moves.degreeMoves,
  Emission: moves.emissionMoves,
  EmissionRegistration: moves.registrationMoves,
  Registration: moves.registrationMoves,
  AcademicTranscript: moves.transcriptMoves,
  Curriculum: moves.curriculumMoves,
  CancellationList: moves.cancellationListMoves,
  InspectionFile: moves.inspectionFileMoves,
  Restamp: moves.restampMoves,
} as const

/** Makes items, and changes them. */
export function itemsAt(world: CredentialWorld, { subscriptionId, instituteId }: Place) {
  const { store, context, clock } = world
  const rowOf = async (kind: EventKind, id: string) =>
    store.db.selectFrom(tableOfKind[kind]).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const owner = (id: string) => ({ id, subscription_id: subscriptionId, institute_id: instituteId })

  return {
    rowOf,
    /** A new item; `silent` for states that nobody is told of. */
    async create(kind: EventKind, more: object = {}, silent = false): Promise<string> {
      const now = clock()
      const at = now.toISOString()
      const id = newRowId(now)
      const table = tableOfKind[kind]
      const common = { ...owner(id), version: '1.05', created_at: at, updated_at: at }
      await store.transaction(async (tx) => {
        await tx
          .insertInto(table)
          .values({ ...common, ...made[table]!(), ...more } as never)
          .execute()
        if (!silent) await announce(context, tx, [{ kind, item: owner(id) }], now)
      })
      return id
    },
    /** Moves an item by its table, and tells of it; `silent` for moves that nobody is told of. */
    async change(kind: EventKind, id: string, name: string, set: object = {}, silent = false): Promise<void> {
      const now = clock()
      const column = kind === 'EmissionRegistration' ? 'registration_status' : 'status'
      await store.transaction(async (tx) => {
        const request = { table: tableOfKind[kind], column, moves: movesOf[kind], move: name, id }
        const moved = await move(
          tx as Db<Tables>,
          {
            ...request,
            set: { ...set, updated_at: now.toISOString() },
          } as never,
        )
        if (!moved) throw new Error(`${kind} ${id} cannot ${name}`)
        if (!silent) await announce(context, tx, [{ kind, item: owner(id) }], now)
      })
    },
  }
}

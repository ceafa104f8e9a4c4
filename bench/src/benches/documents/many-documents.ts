import { hotStatement, type Store } from '@chancela/service-kernel/store'

/** The organization nine in ten of the documents belong to. */
export const LARGE_ORGANIZATION = '0190f3c2-7b5e-7000-8000-3f1d2c4b5a70'

/** Half of its documents are in one folder, one in a hundred in another. */
export const LARGE_FOLDER = '0190f3c2-7b5e-7000-8000-000000000001'
export const SMALL_FOLDER = '0190f3c2-7b5e-7000-8000-000000000002'

/** Somebody who takes part in every tenth document. */
export const COMMON_CPF = '52998224725'

const BEGUN = 1_730_000_000_000
const EVERY = 60_000

/** The id of a document by its number. */
export function idOf(n: number): string {
  const time = (BEGUN + n * EVERY).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`
}

/** Some of the numbers of the documents. */
interface Some {
  readonly from: number
  readonly to: number
}

/** What differs between the databases. `t` is the time of a number, in milliseconds: one document a minute. */
const words = {
  sqlite: {
    numbers:
      '(with recursive number (n) as (select ? union all select n + 1 from number where n < ?) select n from number)',
    id: `printf('%08x-%04x-7000-8000-%012d', t >> 16, t & 65535, n)`,
    at: `strftime('%Y-%m-%dT%H:%M:%fZ', t / 1000.0, 'unixepoch')`,
    padded: (digits: number) => `printf('%0${digits}d', n)`,
  },
  postgres: {
    numbers: '(select n from generate_series($1::bigint, $2::bigint) as n)',
    id: `lpad(to_hex(t >> 16), 8, '0') || '-' || lpad(to_hex(t & 65535), 4, '0') || '-7000-8000-' || lpad(n::text, 12, '0')`,
    at: `to_char(to_timestamp(t / 1000.0) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    padded: (digits: number) => `lpad(n::text, ${digits}, '0')`,
  },
} as const

type Words = (typeof words)[keyof typeof words]

/** Everything that differs from one document to the next, by its number. */
const documents = ({
  numbers,
  id,
  at,
  padded,
}: Words): string => `(select n, ${id} as id, ${at} as at, key, organization,
    case when n % 50 = 7 then organization || '~' else organization end as shelf,
    case when n % 50 = 7 then ${at} end as deleted_at,
    case when n % 10 = 0 then null when n % 2 = 0 then '${LARGE_FOLDER}'
      when n % 100 = 1 then '${SMALL_FOLDER}' end as folder_id,
    case when n % 100 < 5 then 'Pending' when n % 100 < 7 then 'Refused' when n % 100 < 9 then 'Canceled'
      when n % 100 = 9 then 'Expired' else 'Concluded' end as status,
    case when n % 20 = 3 then 'Prescription' when n % 2 = 1 then 'MedicalReport' end as type,
    case when n % 10 = 3 then 0 else 1 end as has_signers,
    case when n % 10000 = 11 then 'distrato' when n % 10 = 5 then 'recibo' else 'contrato' end as word,
    case when n % 100 = 21 then 'maria' else 'hospital' end as creator,
    case when n % 2 = 0 then 'importado' else 'lote ' || (n / 100) end as tag,
    case when n % 10 = 1 then 'ana' else 'pessoa' end as given_name,
    case when n % 10 = 1 then 'souza' else 'n' || (n % 50000) end as family_name,
    case when n % 10 = 1 then '${COMMON_CPF}' else ${padded(11)} end as cpf,
    case when n % 10 = 1 then 'ana' else 'p' || (n % 50000) end || '@example.com' as email
  from (select n, ${BEGUN} + n * ${EVERY} as t, ${padded(20)} as key,
      case when n % 10 = 0 then 'other-' || (n / 10) % 10 else '${LARGE_ORGANIZATION}' end as organization
    from ${numbers} as counted) as timed) as document_of`

function filling(name: string, insert: string) {
  const form = (dialect: keyof typeof words) => ({
    text: `${insert} from ${documents(words[dialect])}`,
    parameters: ({ from, to }: Some) => [from, to],
  })
  return hotStatement<Some, never>(name, { sqlite: form('sqlite'), postgres: form('postgres') })
}

const DIGEST = 'ab'.repeat(32)

const rows = [
  filling(
    'bench_documents',
    `insert into document (id, organization_id, folder_id, key, name, name_key, filename, mime_type, size, md5, status,
        format, is_envelope, force_cades, signature_type, type, created_by_id, created_by_name, created_by_key,
        created_by_type, created_at, updated_at, deleted_at, has_signers, revision, original_digest, current_digest,
        current_size, signatures, notified_emails, disable_pending_notifications, disable_notifications,
        timestamp_enabled)
      select id, organization, folder_id, key, word || ' ' || n || '.pdf',
        ' ' || word || ' ' || n || ' pdf', 'arquivo.pdf', 'application/pdf', 20000, '', status,
        'Pades', 0, 0, 'None', type, creator, creator, ' ' || creator, 'Application', at, at, deleted_at, has_signers, 2,
        '${DIGEST}', '${DIGEST}', 24000, 1, '[]', 0, 0, 0`,
  ),
  filling(
    'bench_actions',
    `insert into flow_action (id, document_id, position, type, step, status, required, options, created_at)
      select id, id, 0, 'Signer', 1, case when status = 'Pending' then 'Pending' else 'Completed' end, 1, '{}', at`,
  ),
  filling(
    'bench_participants',
    `insert into participant (id, action_id, document_id, organization_id, position, person_id, name, name_key,
        identifier, email, completed_at, is_electronic, reminders)
      select id, id, id, organization, 0, cpf, given_name || ' ' || family_name, ' ' || given_name || ' ' || family_name,
        cpf, email, case when status = 'Pending' then null else at end, 0, 0`,
  ),
  filling(
    'bench_tags',
    `insert into tag (id, document_id, organization_id, label, value)
      select id, id, organization, 'origem', tag`,
  ),
]

/** Search terms of a document; each begins with the letter of its kind. */
const terms = {
  name_word: `'n' || word`,
  name_number: `'n' || n`,
  name_extension: `'npdf'`,
  creator: `'c' || creator`,
  given_name: `'p' || given_name`,
  family_name: `'p' || family_name`,
  cpf: `'i' || cpf`,
  email: `'e' || email`,
  tag: `'t' || tag`,
  labeled_tag: `'lorigem\u001f' || tag`,
} as const

const findable = Object.entries(terms).map(([name, term]) =>
  filling(`bench_term_${name}`, `insert into document_term (shelf, term, document_id) select shelf, ${term}, id`),
)

/** Rows per statement: PostgreSQL aborts one that takes a minute. */
const ROWS_AT_ONCE = 100_000

/** Writes so many documents into the empty database of a service, as after years of use. */
export async function fillDocuments<Tables>({ db, dialect }: Store<Tables>, count: number): Promise<void> {
  await insertFolders(db, undefined)
  for (const fill of [...rows, ...findable])
    for (let from = 1; from <= count; from += ROWS_AT_ONCE)
      await fill(db, { from, to: Math.min(count, from + ROWS_AT_ONCE - 1) })
  for (const tidy of upkeep[dialect]) await tidy(db, undefined)
}

const statement = (text: string) => {
  const form = { text, parameters: () => [] }
  return hotStatement<undefined, never>(`bench_${text}`.slice(0, 60), { sqlite: form, postgres: form })
}

const folder = (id: string, name: string) => `('${id}', '${LARGE_ORGANIZATION}', '${name}', '${name}', '', '')`

const insertFolders = statement(
  `insert into folder (id, organization_id, name, name_key, created_at, updated_at) values
    ${folder(LARGE_FOLDER, 'large')}, ${folder(SMALL_FOLDER, 'small')}`,
)

const filled = ['document', 'flow_action', 'participant', 'tag', 'document_term'] as const

// Otherwise the server would do this by itself during a sample.
const upkeep = {
  sqlite: ['analyze', 'pragma wal_checkpoint(truncate)'].map(statement),
  postgres: filled.map((table) => statement(`vacuum analyze ${table}`)),
}

import { hotStatement, type Store } from '@chancela/service-kernel/store'

/** The organization all degrees are of, and its institutions: nearly all, one in a hundred, and none. */
export const ORGANIZATION = '0190f3c2-7b5e-7000-8000-3f1d2c4b5a70'
export const LARGE_INSTITUTE = '0190f3c2-7b5e-7000-8000-000000000001'
export const SMALL_INSTITUTE = '0190f3c2-7b5e-7000-8000-000000000002'

const BEGUN = 1_730_000_000_000
const EVERY = 30_000

/** When a degree was made, by its number. */
export const timeOf = (n: number): string => new Date(BEGUN + n * EVERY).toISOString()

/** The CPF of a degree, and the last part of its code. */
export const cpfOf = (n: number): string => String((n * 48_271) % 99_999_999_977).padStart(11, '0')
export const codeOf = (n: number): string =>
  `100.200.${((n * 16_777_619) % 281_474_976_710_597).toString(16).padStart(12, '0')}`

/** The files of a degree: their names, and what their digests end in after the last part of the code. */
const filesOf = [
  { name: 'public-xml', fill: 'd' },
  { name: 'academic-documentation', fill: 'a' },
] as const
const DIGEST_FILL = 52

/** Whether a degree is valid, by its number. */
export const isConcluded = (n: number): boolean => n % 10_007 >= 401

/** What differs between the databases. `t` is the time of a number, in milliseconds. */
const words = {
  sqlite: {
    numbers:
      '(with recursive number (n) as (select ? union all select n + 1 from number where n < ?) select n from number)',
    id: `printf('%08x-%04x-7000-8000-%012d', t >> 16, t & 65535, n)`,
    at: `strftime('%Y-%m-%dT%H:%M:%fZ', t / 1000.0, 'unixepoch')`,
    padded: (number: string, digits: number) => `printf('%0${digits}d', ${number})`,
    hex: (number: string) => `printf('%012x', ${number})`,
  },
  postgres: {
    numbers: '(select n from generate_series($1::bigint, $2::bigint) as n)',
    id: `lpad(to_hex(t >> 16), 8, '0') || '-' || lpad(to_hex(t & 65535), 4, '0') || '-7000-8000-' || lpad(n::text, 12, '0')`,
    at: `to_char(to_timestamp(t / 1000.0) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    padded: (number: string, digits: number) => `lpad((${number})::text, ${digits}, '0')`,
    hex: (number: string) => `lpad(to_hex(${number}), 12, '0')`,
  },
} as const

type Words = (typeof words)[keyof typeof words]

/** Shares of a thousand or so, by a prime of their own each, so that every combination occurs as often as chance has it. */
const shared = (prime: number, shares: Readonly<Record<string, number>>, otherwise: string): string => {
  let below = 0
  const cases = Object.entries(shares).map(([word, share]) => {
    below += share
    return `when n % ${prime} < ${below} then '${word}'`
  })
  return `case ${cases.join(' ')} else ${otherwise} end`
}

const given = shared(
  997,
  { maria: 80, jose: 60, ana: 50, joao: 50, mariana: 20, marcos: 20, marcelo: 15 },
  `'g' || (n % 997)`,
)
const middle = shared(991, { de: 300, da: 300, dos: 100 }, `'m' || (n % 991)`)
const family = shared(1009, { silva: 100, santos: 70, oliveira: 60, souza: 60, pereira: 50 }, `'f' || (n % 1009)`)
const course = shared(
  1013,
  { direito: 200, pedagogia: 200, administracao: 100, 'engenharia civil': 200, 'engenharia eletrica': 100 },
  `'medicina'`,
)
const status = shared(
  10_007,
  { Canceled: 1, CanceledTemporarily: 100, Pending: 200, PendingPublicXml: 100 },
  `'Concluded'`,
)

/** Everything that differs from one degree to the next, by its number. */
const degrees = ({ numbers, id, at, padded, hex }: Words): string => `(select n, ${id} as id, ${at} as at,
    ${given} || ' ' || ${middle} || ' ' || ${family} as name, ${course} as course, ${status} as status,
    ${padded('(n * 48271) % 99999999977', 11)} as cpf, ${hex('(n * 16777619) % 281474976710597')} as code,
    ${padded('n', 44)} as nonce,
    case when n % 100 = 1 then '${SMALL_INSTITUTE}' else '${LARGE_INSTITUTE}' end as institute
  from (select n, ${BEGUN} + n * ${EVERY} as t from ${numbers} as counted) as timed) as degree_of`

/** Some of the numbers of the degrees. */
interface Some {
  readonly from: number
  readonly to: number
}

function filling(name: string, insert: string) {
  const form = (dialect: keyof typeof words) => ({
    text: `${insert} from ${degrees(words[dialect])}`,
    parameters: ({ from, to }: Some) => [from, to],
  })
  return hotStatement<Some, never>(name, { sqlite: form('sqlite'), postgres: form('postgres') })
}

const KEY = `' ' || name || ' ' || cpf || ' ' || course || ' 100 200 ' || code`

const degreeRows = filling(
  'bench_degrees',
  `insert into degree (id, subscription_id, institute_id, version, status, search_key, student_name, student_cpf, course,
      issuing_ies, was_restored, registrar_institute_id, registering_ies, nonce, verification_code, concluded_at,
      created_at, updated_at, input)
    select id, '${ORGANIZATION}', institute, '1.05', status, ${KEY}, name, cpf, course, 'Faculdade Exemplo', 0, institute,
      'Universidade Exemplo', nonce, '100.200.' || code, case when status = 'Pending' then null else at end, at, at,
      '{"of": "${'a degree as its issuer described it, '.repeat(15)}"}'`,
)

const waitingRows = filling(
  'bench_waiting',
  `insert into search_waiting (shelf, created_at, item_id, institute_id, search_key)
    select '${ORGANIZATION} degree', at, id, institute, ${KEY}`,
)

/** Two XML files of each, under digests that are theirs alone. */
const files = filesOf.map(({ name, fill }) =>
  filling(
    `bench_files_${fill}`,
    `insert into item_file (item_id, name, version, digest, bytes, media_type, created_at)
    select id, '${name}', 1, code || '${fill.repeat(DIGEST_FILL)}', 1, 'application/xml', at`,
  ),
)

const institution = '{"name":"Universidade Exemplo","code":"100"}'

/** What is public of each file, as the service keeps it when a document is closed. */
const facts = {
  'public-xml': `'{"version":"1.05","code":"100.200.' || code || '","studentName":"' || name || '","studentCpf":"***.982.247-**",
    "course":"' || course || '","courseCode":"100","issuingIes":${institution},"registeringIes":${institution},
    "conclusionDate":"2025-12-01","expeditionDate":"2025-12-20","registrationDate":"2026-01-10","expeditionNumber":null,
    "registrationNumber":"12"}'`,
  'academic-documentation': `'{"admissionDate":"2021-02-01"}'`,
} as const

const publicFacts = filesOf.map(({ name, fill }) =>
  filling(
    `bench_facts_${fill}`,
    `insert into public_fact (sha256, facts) select code || '${fill.repeat(DIGEST_FILL)}', ${facts[name]}`,
  ),
)

/** Rows per statement: PostgreSQL aborts one that takes a minute. */
const ROWS_AT_ONCE = 50_000

/** Writes so many degrees into the database of a service, as after years of use. */
export async function fillDegrees<Tables>(store: Store<Tables>, count: number): Promise<void> {
  await fillAll(store, [degreeRows, waitingRows], count)
  for (const tidy of upkeep[store.dialect]) await tidy(store.db, undefined)
}

/** Writes degrees with the rows of their files, and what is public of them; nobody searches them. */
export async function fillPublished<Tables>(store: Store<Tables>, count: number): Promise<void> {
  await fillAll(store, [degreeRows, ...files, ...publicFacts], count)
  for (const tidy of upkeep[store.dialect]) await tidy(store.db, undefined)
}

async function fillAll<Tables>(
  { db }: Store<Tables>,
  fills: readonly (typeof degreeRows)[],
  count: number,
): Promise<void> {
  for (const fill of fills)
    for (let from = 1; from <= count; from += ROWS_AT_ONCE)
      await fill(db, { from, to: Math.min(count, from + ROWS_AT_ONCE - 1) })
}

const statement = (text: string) => {
  const form = { text, parameters: () => [] }
  return hotStatement<undefined, never>(`bench_${text}`.slice(0, 60), { sqlite: form, postgres: form })
}

// Otherwise the server would do this by itself during a sample.
const upkeep = {
  sqlite: ['analyze', 'pragma wal_checkpoint(truncate)'].map(statement),
  postgres: ['degree', 'item_file', 'public_fact', 'search_waiting', 'search_number', 'search_block'].map((table) =>
    statement(`vacuum analyze ${table}`),
  ),
}

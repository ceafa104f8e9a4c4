import { randomUUID } from 'node:crypto'
import { portableStatement } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { PlannedPerson } from '../rules/flow-plan.ts'
import { refuse } from '../rules/refuse.ts'
import type { PersonRow, Tables } from './tables.ts'

/** A person of a request, with the stored row. */
export interface KnownPerson {
  readonly asked: PlannedPerson
  readonly person: PersonRow
}

/** Finds the people of a request and inserts unknown ones; keeps their order. */
export async function knowPersons(
  tx: Transaction<Tables>,
  asked: readonly PlannedPerson[],
  now: Date,
): Promise<readonly KnownPerson[]> {
  if (asked.length === 0) return []
  const found = new Directory(await selectPersons(tx, asked))
  const strangers = new Map<string, PersonRow>()
  for (const person of asked) {
    if (found.find(person)) continue
    if (person.id !== null) throw refuse('UserNotFound', { id: person.id })
    const row = newPerson(person, now)
    if (!strangers.has(personKey(person))) strangers.set(personKey(person), row)
  }
  if (strangers.size > 0) {
    const rows = [...strangers.values()]
    // A concurrent call may have inserted the same person: the first insert wins.
    await tx
      .insertInto('person')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    found.add(await selectPersons(tx, asked))
  }
  return asked.map((person) => ({ asked: person, person: found.find(person)! }))
}

const personKey = ({ identifier, email }: PlannedPerson): string => identifier ?? `mailto:${email}`

const newPerson = ({ name, identifier, email, phone }: PlannedPerson, now: Date): PersonRow => ({
  id: randomUUID(),
  name,
  identifier,
  email,
  phone,
  password_hash: null,
  language: null,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
})

interface Asked {
  readonly ids: readonly string[]
  readonly identifiers: readonly string[]
  readonly emails: readonly string[]
}

const PERSON = 'id, name, identifier, email, phone, password_hash, language, created_at, updated_at'

// Three index lookups; a planner may choose worse for one condition over all of them.
const persons = portableStatement<Asked, PersonRow>(
  'documents_persons',
  ({ oneOf }) => `select ${PERSON} from person where ${oneOf('id', 1)}
    union all select ${PERSON} from person where ${oneOf('identifier', 2)}
    union all select ${PERSON} from person where ${oneOf('email', 3)}
    order by created_at`,
  ({ ids, identifiers, emails }, list) => [list(ids), list(identifiers), list(emails)],
)

const selectPersons = (tx: Transaction<Tables>, asked: readonly PlannedPerson[]): Promise<readonly PersonRow[]> =>
  persons(tx, {
    ids: asked.flatMap(({ id }) => id ?? []),
    identifiers: asked.flatMap(({ id, identifier }) => (id === null ? (identifier ?? []) : [])),
    emails: asked.flatMap(({ id, identifier, email }) => (id === null && identifier === null ? (email ?? []) : [])),
  })

/** People by the fields requests name them with. An e-mail address alone finds the first person who has it. */
class Directory {
  readonly #byId = new Map<string, PersonRow>()
  readonly #byIdentifier = new Map<string, PersonRow>()
  readonly #byEmail = new Map<string, PersonRow>()

  constructor(rows: readonly PersonRow[]) {
    this.add(rows)
  }

  add(rows: readonly PersonRow[]): void {
    for (const row of rows) {
      this.#byId.set(row.id, row)
      if (row.identifier !== null) this.#byIdentifier.set(row.identifier, row)
      if (row.email !== null && !this.#byEmail.has(row.email)) this.#byEmail.set(row.email, row)
    }
  }

  find({ id, identifier, email }: PlannedPerson): PersonRow | undefined {
    if (id !== null) return this.#byId.get(id)
    return identifier === null ? this.#byEmail.get(email!) : this.#byIdentifier.get(identifier)
  }
}

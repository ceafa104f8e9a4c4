import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { PlannedPerson } from '../domain/flow-plan.ts'
import { refuse } from '../domain/refuse.ts'
import type { PersonRow, Tables } from './tables.ts'

/** Somebody of a request, and who that is for the instance. */
export interface KnownPerson {
  readonly asked: PlannedPerson
  readonly person: PersonRow
}

/** Finds the people of a request, and makes those the instance has not met; the order is kept. */
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
    // Another call may have met the same person a moment ago: whoever came first stands.
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

function selectPersons(tx: Transaction<Tables>, asked: readonly PlannedPerson[]): Promise<readonly PersonRow[]> {
  const ids = asked.flatMap(({ id }) => id ?? [])
  const identifiers = asked.flatMap(({ id, identifier }) => (id === null ? (identifier ?? []) : []))
  const emails = asked.flatMap(({ id, identifier, email }) => (id === null && identifier === null ? (email ?? []) : []))
  return tx
    .selectFrom('person')
    .selectAll()
    .where((by) =>
      by.or([
        ...(ids.length > 0 ? [by('id', 'in', ids)] : []),
        ...(identifiers.length > 0 ? [by('identifier', 'in', identifiers)] : []),
        ...(emails.length > 0 ? [by('email', 'in', emails)] : []),
      ]),
    )
    .orderBy('created_at')
    .execute()
}

/** People by what requests name them with. An e-mail address alone finds whoever has it, the first of several. */
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

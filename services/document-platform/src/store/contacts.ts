import { randomUUID } from 'node:crypto'
import { type Db, portableStatement } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { PlannedPerson } from '../rules/flow-plan.ts'
import { refuse } from '../rules/refuse.ts'
import type { ContactRow, Tables } from './tables.ts'

/** Somebody of a request, and the organization's contact that it names. */
export interface KnownContact {
  readonly asked: PlannedPerson
  readonly contact: ContactRow
}

/**
 * Finds the people of a request among the organization's contacts, adds those it does not have yet, and writes down
 * what the request says of the others. The order is kept.
 */
export async function knowContacts(
  tx: Transaction<Tables>,
  organizationId: string,
  asked: readonly PlannedPerson[],
  now: Date,
): Promise<readonly KnownContact[]> {
  if (asked.length === 0) return []
  const found = new Directory(await selectContacts(tx, organizationId, asked))
  const strangers = new Map<string, ContactRow>()
  for (const person of asked) {
    if (found.find(person)) continue
    if (person.id !== null) throw refuse('UserNotFound', { id: person.id })
    if (!strangers.has(contactKey(person))) strangers.set(contactKey(person), newContact(organizationId, person, now))
  }
  if (strangers.size > 0) {
    // Another call may have added the same person a moment ago: the first row stands.
    await tx
      .insertInto('contact')
      .values([...strangers.values()])
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    found.add(await selectContacts(tx, organizationId, asked))
  }
  const known: KnownContact[] = []
  for (const person of asked)
    known.push({ asked: person, contact: await corrected(tx, found.find(person)!, person, now) })
  return known
}

const contactKey = ({ identifier, email }: PlannedPerson): string => identifier ?? `mailto:${email}`

const newContact = (
  organizationId: string,
  { name, identifier, email, phone }: PlannedPerson,
  now: Date,
): ContactRow => ({
  organization_id: organizationId,
  id: randomUUID(),
  name,
  identifier,
  email,
  phone,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
})

/** A contact together with whether it is a user of the organization. */
type FoundContact = ContactRow & { readonly is_member: number }

const keepsName = ({ is_member }: Pick<FoundContact, 'is_member'>, { id }: Pick<PlannedPerson, 'id'>): boolean =>
  id !== null || is_member === 1

/**
 * The contact as the request corrects it: the sender's latest word on a name or an address counts for the next
 * document too. A user of the organization is named by its administrators alone, and an id names the contact as it is.
 */
async function corrected(
  tx: Transaction<Tables>,
  { is_member, ...contact }: FoundContact,
  { id, name, email, phone }: PlannedPerson,
  now: Date,
): Promise<ContactRow> {
  const said = {
    name: keepsName({ is_member }, { id }) ? contact.name : name,
    email: is_member === 0 ? (email ?? contact.email) : contact.email,
    phone: is_member === 0 ? (phone ?? contact.phone) : contact.phone,
  }
  if (said.name === contact.name && said.email === contact.email && said.phone === contact.phone) return contact
  await changeContact(tx, contact, said, now)
  return { ...contact, ...said }
}

/** What documents will call the people of a request; somebody whom the organization does not know is not added. */
export async function knownNames(
  db: Db<Tables>,
  organizationId: string,
  asked: readonly PlannedPerson[],
): Promise<readonly string[]> {
  const found = new Directory(await selectContacts(db, organizationId, asked))
  return asked.map((person) => {
    const contact = found.find(person)
    return contact && keepsName(contact, person) ? contact.name : person.name
  })
}

/** Writes what an organization says of one of its contacts. */
export const changeContact = async (
  tx: Transaction<Tables>,
  { organization_id, id }: Pick<ContactRow, 'organization_id' | 'id'>,
  changes: Partial<Pick<ContactRow, 'name' | 'email' | 'phone'>>,
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('contact')
    .set({ ...changes, updated_at: now.toISOString() })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute()
}

interface Asked {
  readonly organizationId: string
  readonly ids: readonly string[]
  readonly identifiers: readonly string[]
  readonly emails: readonly string[]
}

const CONTACT = `c.organization_id, c.id, c.name, c.identifier, c.email, c.phone, c.created_at, c.updated_at,
  case when exists (select 1 from member as m where m.organization_id = c.organization_id and m.person_id = c.id)
    then 1 else 0 end as is_member`

// One lookup for each index: a planner may scan the table for one condition over all three.
const contacts = portableStatement<Asked, FoundContact>(
  'documents_contacts',
  ({ place, oneOf }) => {
    const select = `select ${CONTACT} from contact as c where c.organization_id = ${place(1)} and`
    return `${select} ${oneOf('c.id', 2)} union all ${select} ${oneOf('c.identifier', 3)}
      union all ${select} ${oneOf('c.email', 4)} order by created_at`
  },
  ({ organizationId, ids, identifiers, emails }, list) => [organizationId, list(ids), list(identifiers), list(emails)],
)

const selectContacts = (
  tx: Db<Tables>,
  organizationId: string,
  asked: readonly PlannedPerson[],
): Promise<readonly FoundContact[]> =>
  contacts(tx, {
    organizationId,
    ids: asked.flatMap(({ id }) => id ?? []),
    identifiers: asked.flatMap(({ id, identifier }) => (id === null ? (identifier ?? []) : [])),
    emails: asked.flatMap(({ id, identifier, email }) => (id === null && identifier === null ? (email ?? []) : [])),
  })

/** Contacts by what requests name them with. An e-mail address alone finds whoever has it, the first of several. */
class Directory {
  readonly #byId = new Map<string, FoundContact>()
  readonly #byIdentifier = new Map<string, FoundContact>()
  readonly #byEmail = new Map<string, FoundContact>()

  constructor(rows: readonly FoundContact[]) {
    this.add(rows)
  }

  add(rows: readonly FoundContact[]): void {
    for (const row of rows) {
      this.#byId.set(row.id, row)
      if (row.identifier !== null) this.#byIdentifier.set(row.identifier, row)
      if (row.email !== null && !this.#byEmail.has(row.email)) this.#byEmail.set(row.email, row)
    }
  }

  find({ id, identifier, email }: PlannedPerson): FoundContact | undefined {
    if (id !== null) return this.#byId.get(id)
    return identifier === null ? this.#byEmail.get(email!) : this.#byIdentifier.get(identifier)
  }
}

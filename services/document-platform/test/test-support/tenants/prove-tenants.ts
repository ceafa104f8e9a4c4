// Random calls of random actors of two organizations that know the same people; each answer is held against the model.
import { samplePdf } from '@chancela/testkit/samples'
import type { Answer as WholeAnswer } from '@chancela/testkit/service-world'
import { newOrganization, type PlatformWorld, untilKnown } from '../platform-world.ts'
import { signedIn } from '../users.ts'
import {
  type Actor,
  actForVerdict,
  changeVerdict,
  type Kind,
  type ModelDocument,
  mayAdminister,
  mayCreate,
  mayListUsers,
  mayReadFlows,
  readVerdict,
  sees,
  type Verdict,
} from './model.ts'

type Answer = Pick<WholeAnswer, 'status' | 'body'>
type Call = (method: string, path: string, body?: object) => Promise<Answer>

interface LiveActor extends Actor {
  readonly call: Call
}

export interface TenantsReport {
  readonly steps: number
  readonly documents: number
  readonly byStep: Readonly<Record<string, number>>
  readonly byVerdict: Readonly<Record<Verdict, number>>
  readonly differences: readonly string[]
}

/** The same people for both organizations, who call them differently. */
const shared = [
  { identifier: '529.982.247-25', email: 'ana@shared.example' },
  { identifier: '111.444.777-35', email: 'bruno@shared.example' },
  { identifier: '935.411.347-80', email: 'carla@shared.example' },
]

const userKinds: readonly Kind[] = ['administrator', 'manager', 'operator', 'operator', 'basic', 'basic']

export async function proveTenants(world: PlatformWorld, steps: number, seed: number): Promise<TenantsReport> {
  const prover = new Prover(world, dice(seed))
  await prover.prepare()
  for (let step = 0; step < steps; step += 1) await prover.step(step)
  return prover.report(steps)
}

/** Repeatable chance (mulberry32): a difference is found again by its seed. */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

class Prover {
  readonly #world: PlatformWorld
  readonly #dice: (below: number) => number
  readonly #actors: LiveActor[] = []
  readonly #documents: ModelDocument[] = []
  readonly #folders: string[][] = [[], []]
  readonly #organizationIds: string[] = []
  readonly #differences: string[] = []
  readonly #byStep: Record<string, number> = {}
  readonly #byVerdict: Record<Verdict, number> = { ok: 0, forbidden: 0, unknown: 0 }

  constructor(world: PlatformWorld, dice: (below: number) => number) {
    this.#world = world
    this.#dice = dice
  }

  /** Two organizations with users of every role, an application, and one that is restricted to a folder. */
  async prepare(): Promise<void> {
    for (const organization of [0, 1]) {
      const { store, clock, baseUrl } = this.#world
      const made = await newOrganization(store, clock(), `Organização ${organization}`)
      await untilKnown(baseUrl, made.apiKey)
      const own = { ...this.#world, organization: made }
      const keyed =
        (key: string): Call =>
        (method, path, body) =>
          this.#world.json(method, path, body, { 'X-Api-Key': key })
      const application = keyed(made.apiKey)
      this.#organizationIds.push(made.id)
      for (const name of ['Um', 'Dois'])
        this.#folders[organization]!.push((await application('POST', '/api/folders', { name })).body.id)
      const [folderId] = this.#folders[organization]!
      this.#actors.push({ name: `app ${organization}`, organization, kind: 'application', call: application })
      const limited = { name: 'limitada', folderIds: [folderId] }
      const { body } = await application('POST', `/api/organizations/${made.id}/applications`, limited)
      await untilKnown(baseUrl, body.apiKey)
      const restricted = { organization, kind: 'folderApplication', folderId: folderId! } as const
      this.#actors.push({ name: `limited ${organization}`, ...restricted, call: keyed(body.apiKey) })
      for (const [at, kind] of userKinds.entries()) {
        const accessProfile = {
          administrator: kind === 'administrator',
          manager: kind === 'manager',
          operator: kind === 'operator',
        }
        const user = await signedIn(own, { name: `${kind} ${at} de ${organization}`, accessProfile })
        const call: Call = (method, path, content) => user.call(method, path, content)
        this.#actors.push({ name: `${kind} ${at} of ${organization}`, organization, kind, userId: user.id, call })
      }
    }
  }

  report(steps: number): TenantsReport {
    return {
      steps,
      documents: this.#documents.length,
      byStep: this.#byStep,
      byVerdict: this.#byVerdict,
      differences: this.#differences,
    }
  }

  async step(at: number): Promise<void> {
    const actor = this.#one(this.#actors)
    const names = Object.keys(this.#steps)
    // Documents are needed before anything can be done to them.
    const name = this.#documents.length < 4 ? 'create' : this.#one(names)
    this.#byStep[name] = (this.#byStep[name] ?? 0) + 1
    try {
      await this.#steps[name]!(actor, `step ${at}, ${name} by ${actor.name}`)
    } catch (error) {
      this.#differences.push(`step ${at}, ${name} by ${actor.name}: ${String(error)}`)
    }
  }

  readonly #steps: Readonly<Record<string, (actor: LiveActor, what: string) => Promise<void>>> = {
    create: (actor, what) => this.#create(actor, what),
    read: (actor, what) => this.#read(actor, what),
    list: (actor, what) => this.#list(actor, what),
    search: (actor, what) => this.#search(actor, what),
    timeline: (actor, what) => this.#readPart(actor, 'timeline', what),
    details: (actor, what) => this.#readPart(actor, 'signatures-details', what),
    cancel: (actor, what) => this.#end(actor, 'cancellation', 'Canceled', what),
    refuse: (actor, what) => this.#end(actor, 'refusal', 'Refused', what),
    delete: (actor, what) => this.#delete(actor, what),
    move: (actor, what) => this.#move(actor, what),
    addObserver: (actor, what) => this.#addObserver(actor, what),
    actionUrl: (actor, what) => this.#actionUrl(actor, what),
    users: (actor, what) => this.#users(actor, what),
    administer: (actor, what) => this.#administer(actor, what),
    flows: (actor, what) => this.#flows(actor, what),
    trespass: (actor, what) => this.#trespass(actor, what),
  }

  #one<T>(from: readonly T[]): T {
    return from[this.#dice(from.length)]!
  }

  #check(what: string, expected: Verdict, { status, body }: Answer): boolean {
    const code = body?.code
    const found: Verdict | string =
      status === 200
        ? 'ok'
        : status === 403
          ? 'forbidden'
          : code === 'DocumentNotFound'
            ? 'unknown'
            : `${status} ${code}`
    this.#byVerdict[expected] += 1
    if (found !== expected) this.#differences.push(`${what}: expected ${expected}, found ${found}`)
    return found === 'ok' && expected === 'ok'
  }

  #expect(what: string, expected: unknown, found: unknown): void {
    const [left, right] = [JSON.stringify(expected), JSON.stringify(found)]
    if (left !== right) this.#differences.push(`${what}: expected ${left}, found ${right}`)
  }

  /** Documents are made for shared people, and sometimes for a user of the organization. */
  async #create(actor: LiveActor, what: string): Promise<void> {
    const at = this.#dice(shared.length)
    const person = { ...shared[at]!, name: `Pessoa ${at} da ${actor.organization}` }
    const colleague = this.#dice(2) === 0 ? this.#colleague(actor) : undefined
    const observer = this.#dice(3) === 0 ? this.#colleague(actor) : undefined
    const folderId = actor.folderId ?? (this.#dice(2) === 0 ? this.#one(this.#folders[actor.organization]!) : null)
    const bytes = Buffer.from(samplePdf('Contrato')).toString('base64')
    const upload = await actor.call('POST', '/api/uploads/bytes', { bytes })
    if (!this.#check(`${what}, upload`, mayCreate(actor) ? 'ok' : 'forbidden', upload)) return
    const file = { id: upload.body.id, name: 'a.pdf', displayName: 'a.pdf', contentType: 'application/pdf' }
    const users = [person, ...(colleague ? [{ id: colleague.userId }] : [])]
    const created = await actor.call('POST', '/api/documents', {
      files: [file],
      flowActions: users.map((user) => ({ type: 'Approver', step: 1, user })),
      ...(observer && { observers: [{ user: { id: observer.userId } }] }),
      ...(folderId && { folderId }),
    })
    if (!this.#check(what, 'ok', created)) return
    const involved = new Set([colleague, observer].flatMap((one) => one?.userId ?? []))
    const participants = [person.name, ...(colleague ? [this.#nameOf(colleague)] : [])]
    this.#documents.push({
      id: created.body[0].documentId,
      organization: actor.organization,
      createdBy: actor,
      folderId,
      involved,
      status: 'Pending',
      isDeleted: false,
      participants,
    })
  }

  #colleague(actor: Actor): LiveActor {
    return this.#one(this.#actors.filter(({ organization, userId }) => organization === actor.organization && userId))
  }

  /** A user is called by the name the administrators gave. */
  readonly #nameOf = ({ name }: Actor): string => name.replace(' of ', ' de ')

  /** Any document, most often of the actor's own organization. */
  #document(actor: Actor): ModelDocument {
    const own = this.#documents.filter(({ organization }) => organization === actor.organization)
    return this.#one(own.length > 0 && this.#dice(4) > 0 ? own : this.#documents)
  }

  async #read(actor: LiveActor, what: string): Promise<void> {
    const document = this.#document(actor)
    const answer = await actor.call('GET', `/api/documents/${document.id}`)
    if (!this.#check(what, readVerdict(actor, document), answer)) return
    const { body } = answer
    const names = body.flowActions.map(({ user }: { user: { name: string } }) => user.name)
    this.#expect(`${what}, participants`, document.participants, names)
    this.#expect(`${what}, status`, [document.status, document.isDeleted], [body.status, body.isDeleted])
    const mayEdit = changeVerdict(actor, document) === 'ok'
    this.#expect(`${what}, permissions`, mayEdit && document.status === 'Pending', body.permissions.editFlow)
  }

  async #readPart(actor: LiveActor, part: string, what: string): Promise<void> {
    const document = this.#document(actor)
    this.#check(what, readVerdict(actor, document), await actor.call('GET', `/api/documents/${document.id}/${part}`))
  }

  #visible(actor: Actor): readonly string[] {
    return this.#documents.filter((each) => sees(actor, each) && !each.isDeleted).map(({ id }) => id)
  }

  async #list(actor: LiveActor, what: string): Promise<void> {
    const answer = await actor.call('GET', '/api/documents?limit=20')
    const newest = this.#visible(actor).toReversed()
    this.#expect(`${what}, total`, newest.length, answer.body.totalCount)
    const ids = answer.body.items.map(({ id }: { id: string }) => id)
    this.#expect(`${what}, page`, newest.slice(0, 20).toSorted(), ids.toSorted())
  }

  /** By the CPF that both organizations know. */
  async #search(actor: LiveActor, what: string): Promise<void> {
    const at = this.#dice(shared.length)
    const query = `participantQ=${shared[at]!.identifier}&participantQueryType=Identifier&limit=1`
    const answer = await actor.call('GET', `/api/documents?${query}`)
    const name = `Pessoa ${at} da ${actor.organization}`
    const visible = new Set(this.#visible(actor))
    const found = this.#documents.filter(({ id, participants }) => visible.has(id) && participants.includes(name))
    this.#expect(`${what}, total`, found.length, answer.body.totalCount)
  }

  async #end(actor: LiveActor, how: string, status: 'Canceled' | 'Refused', what: string): Promise<void> {
    const document = this.#pending(actor)
    if (!document) return
    const answer = await actor.call('POST', `/api/documents/${document.id}/${how}`, { reason: 'Troca.' })
    if (this.#check(what, changeVerdict(actor, document), answer)) document.status = status
  }

  /** One that has not ended: what becomes of the others is not a matter of rights. */
  #pending(actor: Actor): ModelDocument | undefined {
    const document = this.#document(actor)
    return document.status === 'Pending' && !document.isDeleted ? document : undefined
  }

  async #delete(actor: LiveActor, what: string): Promise<void> {
    if (this.#dice(3) > 0) return
    const document = this.#document(actor)
    const answer = await actor.call('DELETE', `/api/documents/${document.id}`)
    if (this.#check(what, changeVerdict(actor, document), answer)) document.isDeleted = true
  }

  async #move(actor: LiveActor, what: string): Promise<void> {
    const document = this.#document(actor)
    const folderId = actor.folderId ?? this.#one(this.#folders[actor.organization]!)
    const answer = await actor.call('POST', `/api/documents/${document.id}/folder`, { folderId })
    if (this.#check(what, changeVerdict(actor, document), answer)) document.folderId = folderId
  }

  async #addObserver(actor: LiveActor, what: string): Promise<void> {
    const document = this.#pending(actor)
    if (!document) return
    const { userId } = this.#colleague(actor)
    const body = { addedObservers: [{ user: { id: userId } }] }
    const answer = await actor.call('POST', `/api/documents/${document.id}/flow`, body)
    if (this.#check(what, changeVerdict(actor, document), answer)) document.involved.add(userId!)
  }

  async #actionUrl(actor: LiveActor, what: string): Promise<void> {
    const document = this.#pending(actor)
    if (!document) return
    const { body } = await this.#application(document).call('GET', `/api/documents/${document.id}`)
    const flowActionId = body.flowActions[0].id
    const answer = await actor.call('POST', `/api/documents/${document.id}/action-url`, { flowActionId })
    this.#check(what, actForVerdict(actor, document), answer)
  }

  #application({ organization }: ModelDocument): LiveActor {
    return this.#actors.find((one) => one.organization === organization && one.kind === 'application')!
  }

  async #users(actor: LiveActor, what: string): Promise<void> {
    const answer = await actor.call('GET', '/api/organizations/users?limit=50')
    if (!this.#check(what, mayListUsers(actor) ? 'ok' : 'forbidden', answer)) return
    const own = this.#actors.filter(({ organization, userId }) => organization === actor.organization && userId)
    const ids = answer.body.items.map(({ id }: { id: string }) => id)
    this.#expect(`${what}, ids`, own.map(({ userId }) => userId).toSorted(), ids.toSorted())
  }

  async #administer(actor: LiveActor, what: string): Promise<void> {
    const path = `/api/organizations/${this.#organizationIds[actor.organization]}/applications`
    const answer = await actor.call('GET', path)
    if (!this.#check(what, mayAdminister(actor) ? 'ok' : 'forbidden', answer)) return
    this.#expect(`${what}, applications`, 2, answer.body.length)
  }

  async #flows(actor: LiveActor, what: string): Promise<void> {
    this.#check(what, mayReadFlows(actor) ? 'ok' : 'forbidden', await actor.call('GET', '/api/document-flows'))
  }

  /** The other organization, by its id. */
  async #trespass(actor: LiveActor, what: string): Promise<void> {
    const id = this.#organizationIds[1 - actor.organization]
    const part = this.#one(['', '/users', '/applications'])
    this.#check(`${what} ${part}`, 'forbidden', await actor.call('GET', `/api/organizations/${id}${part}`))
  }
}

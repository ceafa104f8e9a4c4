// Random calls of random callers of two organizations that share people; each answer is held against the model.
import { startReceiver } from '@chancela/testkit/receiver'
import { type Answer, callerOf } from '@chancela/testkit/service-world'
import { vi } from 'vitest'
import {
  type CredentialWorld,
  cookieOf,
  type Organization,
  organizationAt,
  PASSWORD,
  personOf,
} from '../credential-world.ts'
import { sampleCourse, sampleFlow, sampleInstitute, sampleTemplate } from '../samples.ts'
import { ItemSteps } from './item-steps.ts'
import {
  type Actor,
  changeVerdict,
  decideVerdict,
  type Plural,
  readVerdict,
  roleAt,
  type Thing,
  type Verdict,
  withThing,
} from './model.ts'

export interface TenantsReport {
  readonly steps: number
  readonly things: number
  readonly byStep: Readonly<Record<string, number>>
  readonly byVerdict: Readonly<Record<Verdict, number>>
  readonly differences: readonly string[]
}

export async function proveTenants(world: CredentialWorld, steps: number, seed: number): Promise<TenantsReport> {
  const prover = new Prover(world, dice(seed))
  await prover.prepare()
  for (let step = 0; step < steps; step += 1) await prover.step(step)
  await prover.checkReceived()
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

/** One call: who, for which organization. */
interface Turn extends Actor {
  readonly place: number
  readonly what: string
}

const plurals: readonly Plural[] = ['institutes', 'courses', 'flows', 'templates']

/** So few of a kind in an organization that a list has all of them. */
const MOST = 40

class Prover {
  readonly #world: CredentialWorld
  readonly #dice: (below: number) => number
  readonly #organizations: Organization[] = []
  readonly #actors: Actor[] = []
  readonly #things: Thing[] = []
  readonly #items: [Set<string>, Set<string>] = [new Set(), new Set()]
  #receivers: readonly Awaited<ReturnType<typeof startReceiver>>[] = []
  readonly #differences: string[] = []
  readonly #byStep: Record<string, number> = {}
  readonly #byVerdict: Record<Verdict, number> = { ok: 0, forbidden: 0, unknown: 0, conflict: 0 }
  readonly #documents: ItemSteps

  constructor(world: CredentialWorld, dice: (below: number) => number) {
    this.#world = world
    this.#dice = dice
    this.#documents = new ItemSteps({
      world,
      dice,
      placeOf: (place) => ({
        subscriptionId: this.#organizations[place]!.subscriptionId,
        instituteId: this.#things[place]!.id,
      }),
      call: (turn, method, path, body) => this.#call(turn, method, path, body),
      check: (turn, expected, answer) => this.#check(turn, expected, answer),
      expect: (turn, expected, found) => this.#expect(turn, expected, found),
    })
  }

  /** Both roles as person and as application in each, a person of both with different roles, and the operator. */
  async prepare(): Promise<void> {
    this.#receivers = [await startReceiver(), await startReceiver()]
    for (const place of [0, 1]) await this.#organization(place)
    await this.#shared()
    this.#actors.push({
      name: 'operator',
      headers: { 'X-Api-Key': this.#world.systemKey },
      roles: ['Administrador', 'Administrador'],
    })
    for (const place of [0, 1]) {
      const { subscriptionId, json } = this.#organizations[place]!
      await json('PUT', `/api/subscriptions/${subscriptionId}/webhook`, {
        enabled: true,
        url: this.#receivers[place]!.url,
      })
      const { body } = await json('POST', '/api/institutes', sampleInstitute())
      this.#things.push({ id: body.id, plural: 'institutes', place, name: body.name, isDeleted: false })
    }
    await this.#documents.prepare()
  }

  async #organization(place: number): Promise<void> {
    const organization = await organizationAt(this.#world)
    this.#organizations.push(organization)
    for (const role of ['Administrador', 'Gerente'] as const) {
      const roles: Actor['roles'] = place === 0 ? [role, undefined] : [undefined, role]
      const { apiKey } = await organization.application(role)
      const { cookie } = await personOf(this.#world, organization, role)
      this.#actors.push({ name: `application ${role} ${place}`, headers: { 'X-Api-Key': apiKey }, roles })
      this.#actors.push({ name: `person ${role} ${place}`, headers: { cookie }, roles })
    }
  }

  async #shared(): Promise<void> {
    const { email } = await personOf(this.#world, this.#organizations[0]!, 'Gerente')
    const asked = { name: 'Ana', email, role: 'Administrador' }
    const { body } = await this.#organizations[1]!.json('POST', '/api/users', asked)
    const ticket = new URL(body.invitationUrl).searchParams.get('ticket')
    const { json } = callerOf(this.#world.baseUrl)
    const { headers } = await json('POST', '/api/session/invitation', { ticket, password: PASSWORD })
    this.#actors.push({
      name: 'person of both',
      headers: { cookie: cookieOf(headers) },
      roles: ['Gerente', 'Administrador'],
    })
  }

  report(steps: number): TenantsReport {
    return {
      steps,
      things: this.#things.length,
      byStep: this.#byStep,
      byVerdict: this.#byVerdict,
      differences: this.#differences,
    }
  }

  async step(at: number): Promise<void> {
    const actor = this.#one(this.#actors)
    const name = this.#one([...Object.keys(this.#steps), ...Object.keys(this.#documents.steps)])
    const own = [0, 1].filter((place) => roleAt(actor, place) !== undefined)
    const place = this.#dice(4) > 0 ? this.#one(own) : this.#dice(2)
    const what = `step ${at}, ${name} by ${actor.name} in ${place}`
    this.#byStep[name] = (this.#byStep[name] ?? 0) + 1
    try {
      await (this.#steps[name] ?? this.#documents.steps[name]!)({ ...actor, place, what })
    } catch (error) {
      this.#differences.push(`${what}: ${String(error)}`)
    }
  }

  readonly #steps: Readonly<Record<string, (turn: Turn) => Promise<void>>> = {
    create: (turn) => this.#create(turn),
    read: (turn) => this.#read(turn),
    list: (turn) => this.#list(turn),
    change: (turn) => this.#change(turn),
    remove: (turn) => this.#remove(turn),
    users: (turn) => this.#users(turn),
    applications: (turn) => this.#applications(turn),
    webhook: (turn) => this.#webhook(turn),
    integration: (turn) => this.#integration(turn),
    resend: (turn) => this.#resend(turn),
    events: (turn) => this.#events(turn),
    subscription: (turn) => this.#subscription(turn),
  }

  #one<T>(from: readonly T[]): T {
    return from[this.#dice(from.length)]!
  }

  #call({ headers, place }: Turn, method: string, path: string, body?: object): Promise<Answer> {
    const named = { ...headers, 'X-Subscription': this.#organizations[place]!.subscriptionId }
    return callerOf(this.#world.baseUrl, named).json(method, path, body)
  }

  #check({ what }: Turn, expected: Verdict, { status, body }: Answer): boolean {
    const isUnknown = status === 404 && String(body?.code).endsWith('-not-found')
    const told = isUnknown ? 'unknown' : `${status} ${body?.code}`
    const isConflict = status === 409 && ['invalid-transition', 'second-person-required'].includes(body?.code)
    const refused = status === 403 ? 'forbidden' : isConflict ? 'conflict' : told
    const found = status < 300 ? 'ok' : refused
    this.#byVerdict[expected] += 1
    if (found !== expected) this.#differences.push(`${what}: expected ${expected}, found ${found}`)
    return found === 'ok' && expected === 'ok'
  }

  #expect({ what }: Turn, expected: unknown, found: unknown): void {
    const [left, right] = [JSON.stringify(expected), JSON.stringify(found)]
    if (left !== right) this.#differences.push(`${what}: expected ${left}, found ${right}`)
  }

  /** Most often one of the organization. */
  #thing(place: number, plural?: Plural): Thing {
    const kind = this.#things.filter((one) => plural === undefined || one.plural === plural)
    const own = kind.filter((one) => one.place === place && !one.isDeleted)
    return this.#one(own.length > 0 && this.#dice(3) > 0 ? own : kind)
  }

  #there(place: number, plural: Plural): readonly Thing[] {
    return this.#things.filter((one) => one.plural === plural && one.place === place && !one.isDeleted)
  }

  /** The institution that something new hangs on: perhaps the other organization's. */
  #sample(plural: Plural, institute: Thing): object {
    if (plural === 'institutes') return sampleInstitute()
    if (plural === 'courses') return sampleCourse(institute.id)
    return plural === 'flows'
      ? sampleFlow({ instituteId: institute.id })
      : sampleTemplate({ instituteId: institute.id })
  }

  async #create(turn: Turn): Promise<void> {
    const plural = this.#one(plurals)
    if (this.#there(turn.place, plural).length >= MOST) return
    const institute = this.#thing(turn.place, 'institutes')
    const allowed = changeVerdict(turn, turn.place, plural)
    const expected = plural === 'institutes' ? allowed : withThing(allowed, turn.place, institute)
    const answer = await this.#call(turn, 'POST', `/api/${plural}`, this.#sample(plural, institute))
    if (!this.#check(turn, expected, answer)) return
    const { id, name } = answer.body
    const hanging = plural === 'institutes' ? {} : { instituteId: institute.id }
    this.#things.push({ id, plural, place: turn.place, name, isDeleted: false, ...hanging })
  }

  async #read(turn: Turn): Promise<void> {
    const thing = this.#thing(turn.place)
    const answer = await this.#call(turn, 'GET', `/api/${thing.plural}/${thing.id}`)
    if (this.#check(turn, withThing(readVerdict(turn, turn.place), turn.place, thing), answer))
      this.#expect(turn, thing.name, answer.body.name)
  }

  async #list(turn: Turn): Promise<void> {
    const plural = this.#one(plurals)
    const answer = await this.#call(turn, 'GET', `/api/${plural}?pageSize=100`)
    if (!this.#check(turn, readVerdict(turn, turn.place), answer)) return
    const ids = this.#there(turn.place, plural).map(({ id }) => id)
    this.#expect(turn, ids.toSorted(), answer.body.items.map(({ id }: { id: string }) => id).toSorted())
  }

  async #change(turn: Turn): Promise<void> {
    const thing = this.#thing(turn.place)
    const institute = this.#things.find(({ id }) => id === thing.instituteId) ?? thing
    const name = crypto.randomUUID()
    const fields = { ...this.#sample(thing.plural, institute), name }
    const answer = await this.#call(turn, 'PUT', `/api/${thing.plural}/${thing.id}`, fields)
    const allowed = withThing(changeVerdict(turn, turn.place, thing.plural), turn.place, thing)
    if (this.#check(turn, withThing(allowed, turn.place, institute), answer)) thing.name = name
  }

  async #remove(turn: Turn): Promise<void> {
    const thing = this.#thing(turn.place)
    // One institution of each stays: the first, which items hang on.
    if (this.#things.indexOf(thing) < 2 || this.#dice(2) > 0) return
    const answer = await this.#call(turn, 'DELETE', `/api/${thing.plural}/${thing.id}`)
    if (this.#check(turn, withThing(changeVerdict(turn, turn.place, thing.plural), turn.place, thing), answer))
      thing.isDeleted = true
  }

  async #users(turn: Turn): Promise<void> {
    const answer = await this.#call(turn, 'GET', '/api/users?pageSize=100')
    if (!this.#check(turn, readVerdict(turn, turn.place), answer)) return
    const id = answer.body.items[0].id
    const other = { ...turn, place: 1 - turn.place }
    const verdict = decideVerdict(turn, other.place)
    const renamed = await this.#call(other, 'PUT', `/api/users/${id}`, { name: 'X' })
    this.#check(turn, verdict === 'ok' ? 'unknown' : verdict, renamed)
  }

  async #applications(turn: Turn): Promise<void> {
    const answer = await this.#call(turn, 'GET', '/api/applications')
    if (!this.#check(turn, decideVerdict(turn, turn.place), answer)) return
    const id = answer.body.items[0].id
    const other = { ...turn, place: 1 - turn.place }
    const verdict = decideVerdict(turn, other.place)
    const keys = await this.#call(other, 'GET', `/api/applications/${id}/keys`)
    this.#check(turn, verdict === 'ok' ? 'unknown' : verdict, keys)
  }

  async #webhook(turn: Turn): Promise<void> {
    const asked = this.#dice(2)
    const { subscriptionId } = this.#organizations[asked]!
    const verdict = decideVerdict(turn, turn.place)
    const expected = verdict === 'ok' && asked !== turn.place ? 'unknown' : verdict
    const path = `/api/subscriptions/${subscriptionId}/webhook`
    const settings = { enabled: true, url: this.#receivers[asked]!.url }
    const answer =
      this.#dice(2) > 0 ? await this.#call(turn, 'GET', path) : await this.#call(turn, 'PUT', path, settings)
    if (this.#check(turn, expected, answer)) this.#expect(turn, settings.url, answer.body.url)
  }

  async #integration(turn: Turn): Promise<void> {
    const institute = this.#thing(turn.place, 'institutes')
    const expected = withThing(decideVerdict(turn, turn.place), turn.place, institute)
    const settings = { enabled: true, shouldUseSubscriptionWebhookSettings: true }
    this.#check(
      turn,
      expected,
      await this.#call(turn, 'POST', `/api/institutes/${institute.id}/integrations`, settings),
    )
  }

  /** Something happens in one organization; it is told again by somebody, perhaps of the other. */
  async #resend(turn: Turn): Promise<void> {
    const owner = this.#dice(2)
    const id = await this.#documents.announced(owner)
    if (id === undefined) return
    this.#items[owner]!.add(id)
    const answer = await this.#call(turn, 'POST', '/api/webhooks/resend', { kind: 'Degree', ids: [id] })
    if (this.#check(turn, readVerdict(turn, turn.place), answer))
      this.#expect(turn, turn.place === owner ? 1 : 0, answer.body.scheduled)
  }

  async #events(turn: Turn): Promise<void> {
    const thing = this.#thing(turn.place)
    const answer = await this.#call(turn, 'GET', `/api/events?entityId=${thing.id}`)
    if (this.#check(turn, readVerdict(turn, turn.place), answer))
      this.#expect(turn, thing.place === turn.place, answer.body.items.length > 0)
  }

  async #subscription(turn: Turn): Promise<void> {
    const asked = this.#dice(2)
    const verdict = readVerdict(turn, turn.place)
    const answer = await this.#call(turn, 'GET', `/api/subscriptions/${this.#organizations[asked]!.subscriptionId}`)
    this.#check(turn, verdict === 'ok' && asked !== turn.place ? 'unknown' : verdict, answer)
  }

  /** Whatever a receiver was told is of its own organization, and of everything there it was told. */
  async checkReceived(): Promise<void> {
    for (const [place, { received }] of this.#receivers.entries()) {
      const own = this.#items[place]!
      const told = () => new Set(received.map(({ body }) => JSON.parse(body).data.id as string))
      await vi.waitUntil(() => [...own].every((id) => told().has(id)), { interval: 20, timeout: 60_000 })
      const known = new Set([...own, ...this.#documents.idsAt(place)])
      const others = [...told()].filter((id) => !known.has(id))
      if (others.length > 0) this.#differences.push(`the webhook of ${place} was told of ${others.length} of others`)
    }
  }
}

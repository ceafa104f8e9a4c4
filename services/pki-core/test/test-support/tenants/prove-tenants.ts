// Random calls of random applications of two subscriptions and of the instance; each answer is held against the model.

import { startReceiver } from '@chancela/testkit/receiver'
import { type Answer, callerOf } from '@chancela/testkit/service-world'
import { type CoreWorld, clientAt } from '../core-world.ts'
import { authorities, rootClient } from '../management.ts'
import {
  type Actor,
  able,
  contextVerdict,
  isThere,
  type ModelApplication,
  type ModelContext,
  manageVerdict,
  mayGive,
  type Role,
  type RootRole,
  readVerdict,
  rolesVerdict,
  type Turn,
  type Verdict,
} from './model.ts'
import { type Step, Work } from './work-steps.ts'

export interface TenantsReport {
  readonly steps: number
  readonly applications: number
  readonly byStep: Readonly<Record<string, number>>
  readonly byVerdict: Readonly<Record<Verdict, number>>
  readonly differences: readonly string[]
}

const everyRole: readonly Role[] = ['Admin', 'Manager', 'Worker', 'Monitor']
const everyRootRole: readonly RootRole[] = ['Owner', 'Contributor', 'Reader']

/** Made applications that act, too: more would be like those that do. */
const MOST_ACTORS = 60

export async function proveTenants(world: CoreWorld, steps: number, seed: number): Promise<TenantsReport> {
  const prover = new Prover(world, dice(seed))
  await prover.prepare()
  for (let step = 0; step < steps; step += 1) await prover.step(step)
  prover.checkReceived()
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

const noRoles = (): [Set<Role>, Set<Role>] => [new Set(), new Set()]

/** What says that something is not there, for this caller. */
const absent: ReadonlySet<unknown> = new Set([
  'EntityNotFound',
  'SecurityContextNotFound',
  'SignatureSessionNotFound',
  'DocumentNotFound',
  'InvalidToken',
  'BioSessionNotFound',
  'BioSubjectNotFound',
])

class Prover {
  readonly #world: CoreWorld
  readonly #dice: (below: number) => number
  readonly #subscriptionIds: string[] = []
  readonly #applications: ModelApplication[] = []
  /** Those that are there from the beginning stay as they are, so that every role acts until the end. */
  readonly #lasting = new Set<ModelApplication>()
  #actors: Actor[] = []
  readonly #contexts: ModelContext[] = []
  readonly #defaults: (string | null)[] = [null, null]
  readonly #differences: string[] = []
  #receivers: readonly Awaited<ReturnType<typeof startReceiver>>[] = []
  #work: Work | undefined
  readonly #byStep: Record<string, number> = {}
  readonly #byVerdict: Record<Verdict, number> = { ok: 0, forbidden: 0, unknown: 0 }

  constructor(world: CoreWorld, dice: (below: number) => number) {
    this.#world = world
    this.#dice = dice
  }

  /** Every role in both subscriptions, every role of the instance, and an application of both subscriptions. */
  async prepare(): Promise<void> {
    this.#receivers = [await startReceiver(), await startReceiver()]
    for (const at of [0, 1]) {
      const admin = await clientAt(this.#world, { roles: ['Admin'] })
      this.#subscriptionIds.push(admin.subscriptionId)
      this.#add(admin, at, ['Admin'])
      for (const role of ['Manager', 'Worker', 'Monitor'] as const)
        this.#add(await clientAt(this.#world, { roles: [role], subscriptionId: admin.subscriptionId }), at, [role])
    }
    for (const role of everyRootRole) {
      const { applicationId: id, apiKey } = await rootClient(this.#world, [role])
      const application = { ...this.#model(id), root: new Set([role]) }
      this.#lasting.add(application)
      this.#actors.push({ application, apiKey })
    }
  }

  /** The daily work, which is held against the same model. */
  #workOf(): Work {
    this.#work ??= new Work({
      world: this.#world,
      subscriptionIds: this.#subscriptionIds,
      hooks: this.#receivers.map(({ url }) => url),
      dice: this.#dice,
      one: (from) => this.#one(from),
      call: (turn, method, path, body) => this.#call(turn, method, path, body),
      check: (turn, expected, answer) => this.#check(turn, expected, answer),
      expect: (turn, expected, found) => this.#expect(turn, expected, found),
    })
    return this.#work
  }

  /** Whatever a receiver was told is of its own subscription. */
  checkReceived(): void {
    for (const [at, { received }] of this.#receivers.entries()) {
      const own = new Set(this.#workOf().documentsOf(at))
      const others = received.filter(({ body }) => !own.has(JSON.parse(body).document.id))
      if (others.length > 0)
        this.#differences.push(`the webhook of ${at} was told of ${others.length} documents of others`)
    }
  }

  #model(id: string): ModelApplication {
    return { id, name: id, home: undefined, roles: noRoles(), root: new Set(), isDeleted: false, metadata: '{}' }
  }

  #add({ applicationId, apiKey }: { applicationId: string; apiKey: string }, at: number, roles: readonly Role[]): void {
    const application = this.#model(applicationId)
    application.roles[at] = new Set(roles)
    this.#lasting.add(application)
    this.#applications.push(application)
    this.#actors.push({ application, apiKey })
  }

  report(steps: number): TenantsReport {
    return {
      steps,
      applications: this.#applications.length,
      byStep: this.#byStep,
      byVerdict: this.#byVerdict,
      differences: this.#differences,
    }
  }

  async step(at: number): Promise<void> {
    const actor = this.#one(this.#actors)
    const steps: Readonly<Record<string, Step>> = { ...this.#steps, ...this.#workOf().steps }
    const name = this.#one(Object.keys(steps))
    const subscription = this.#place(actor.application)
    const what = `step ${at}, ${name} by ${this.#described(actor.application)} in ${subscription}`
    this.#byStep[name] = (this.#byStep[name] ?? 0) + 1
    try {
      await steps[name]!({ ...actor, subscription, what })
    } catch (error) {
      this.#differences.push(`${what}: ${String(error)}`)
    }
  }

  readonly #steps: Readonly<Record<string, (turn: Turn) => Promise<void>>> = {
    create: (turn) => this.#create(turn),
    read: (turn) => this.#read(turn),
    list: (turn) => this.#list(turn),
    keys: (turn) => this.#keys(turn),
    newKey: (turn) => this.#newKey(turn),
    delete: (turn) => this.#delete(turn),
    roles: (turn) => this.#changeRoles(turn),
    rootRoles: (turn) => this.#changeRootRoles(turn),
    metadata: (turn) => this.#metadata(turn),
    newContext: (turn) => this.#newContext(turn),
    readContext: (turn) => this.#readContext(turn),
    listContexts: (turn) => this.#listContexts(turn),
    deleteContext: (turn) => this.#deleteContext(turn),
    chooseDefault: (turn) => this.#chooseDefault(turn),
    prepare: (turn) => this.#prepareAuthentication(turn),
    subscriptions: (turn) => this.#subscriptions(turn),
  }

  #one<T>(from: readonly T[]): T {
    return from[this.#dice(from.length)]!
  }

  #some<T>(from: readonly T[]): T[] {
    return from.filter(() => this.#dice(3) === 0)
  }

  readonly #described = ({ roles, root }: ModelApplication): string =>
    [...roles[0], '/', ...roles[1], '/', ...root].join(' ')

  /** Most often one where the application has something to do. */
  #place(application: ModelApplication): number {
    const own = [0, 1].filter((at) => able(application, at).size > 0)
    return own.length > 0 && this.#dice(5) > 0 ? this.#one(own) : this.#dice(2)
  }

  /** Most often one of the subscription. */
  #application(subscription: number): ModelApplication {
    const own = this.#applications.filter((one) => isThere(one, subscription))
    return this.#one(own.length > 0 && this.#dice(3) > 0 ? own : this.#applications)
  }

  #changeable(subscription: number): ModelApplication | undefined {
    const found = this.#application(subscription)
    return this.#lasting.has(found) ? undefined : found
  }

  #call({ apiKey, subscription }: Turn, method: string, path: string, body?: object): Promise<Answer> {
    const headers = { 'X-Api-Key': apiKey, 'X-Subscription': this.#subscriptionIds[subscription]! }
    return callerOf(this.#world.baseUrl, headers).json(method, path, body)
  }

  #check({ what }: Turn, expected: Verdict, { status, body }: Answer): boolean {
    const isUnknown = status === 422 && absent.has(body?.code)
    const told = isUnknown ? 'unknown' : `${status} ${body?.code}`
    const found = status === 200 ? 'ok' : status === 403 ? 'forbidden' : told
    this.#byVerdict[expected] += 1
    if (found !== expected) this.#differences.push(`${what}: expected ${expected}, found ${found}`)
    return found === 'ok' && expected === 'ok'
  }

  #expect({ what }: Turn, expected: unknown, found: unknown): void {
    const [left, right] = [JSON.stringify(expected), JSON.stringify(found)]
    if (left !== right) this.#differences.push(`${what}: expected ${left}, found ${right}`)
  }

  async #create(turn: Turn): Promise<void> {
    const { application: who, subscription } = turn
    const roles = this.#some(everyRole)
    const root = this.#dice(6) === 0 ? this.#some(everyRootRole) : []
    const name = crypto.randomUUID()
    const body = { name, authorizationData: { roles }, rootAuthorizationData: { roles: root } }
    const isAllowed = able(who, subscription).has('manage') && mayGive(who, subscription, roles)
    const expected = isAllowed && (root.length === 0 || who.root.has('Owner')) ? 'ok' : 'forbidden'
    const answer = await this.#call(turn, 'POST', '/api/applications', body)
    if (!this.#check(turn, expected, answer)) return
    const made = noRoles()
    made[subscription] = new Set(roles)
    const known = { roles: made, root: new Set(root), isDeleted: false, metadata: '{}' }
    this.#applications.push({ id: answer.body.id, name, home: subscription, ...known })
  }

  async #read(turn: Turn): Promise<void> {
    const other = this.#application(turn.subscription)
    const answer = await this.#call(turn, 'GET', `/api/applications/${other.id}`)
    if (!this.#check(turn, readVerdict(turn.application, turn.subscription, other), answer)) return
    this.#expect(turn, [...other.root].toSorted(), answer.body.rootRoles.toSorted())
    // Roles elsewhere are shown to whoever has a role in the instance.
    const seen = turn.application.root.size > 0 ? [0, 1] : [turn.subscription]
    const expected = seen.filter((at) => other.roles[at]!.size > 0).map((at) => this.#subscriptionIds[at])
    const found = answer.body.subscriptions.filter(({ roles }: { roles: string[] }) => roles.length > 0)
    this.#expect(
      turn,
      expected.toSorted(),
      found.map((one: { subscriptionId: string }) => one.subscriptionId).toSorted(),
    )
  }

  async #list(turn: Turn): Promise<void> {
    const { application, subscription } = turn
    const answer = await this.#call(turn, 'GET', '/api/applications?Limit=1')
    if (!this.#check(turn, able(application, subscription).has('see') ? 'ok' : 'forbidden', answer)) return
    const there = this.#applications.filter((one) => isThere(one, subscription))
    this.#expect(turn, there.length, answer.body.totalCount)
    const wanted = this.#application(subscription)
    const { body } = await this.#call(turn, 'GET', `/api/applications?name=${wanted.name}`)
    // Those from the beginning have names of their own.
    if (!this.#lasting.has(wanted)) this.#expect(turn, isThere(wanted, subscription) ? 1 : 0, body.totalCount)
  }

  async #keys(turn: Turn): Promise<void> {
    const other = this.#application(turn.subscription)
    const answer = await this.#call(turn, 'GET', `/api/applications/${other.id}/api-keys`)
    this.#check(turn, readVerdict(turn.application, turn.subscription, other), answer)
  }

  /** A key that was made acts from then on, with all that its application may. */
  async #newKey(turn: Turn): Promise<void> {
    const other = this.#application(turn.subscription)
    const path = `/api/applications/${other.id}/api-keys`
    const answer = await this.#call(turn, 'POST', path, { description: 'x' })
    if (!this.#check(turn, manageVerdict(turn.application, turn.subscription, other), answer)) return
    const { key, info } = answer.body
    if (this.#actors.length < MOST_ACTORS && !this.#lasting.has(other)) {
      this.#actors.push({ application: other, apiKey: key })
      return
    }
    this.#check(turn, 'ok', await this.#call(turn, 'DELETE', `${path}/${info.id}`))
    this.#expect(turn, 401, (await this.#call({ ...turn, apiKey: key }, 'GET', '/api/applications')).status)
  }

  async #delete(turn: Turn): Promise<void> {
    const other = this.#changeable(turn.subscription)
    if (!other || this.#dice(2) > 0) return
    const answer = await this.#call(turn, 'DELETE', `/api/applications/${other.id}`)
    if (!this.#check(turn, manageVerdict(turn.application, turn.subscription, other), answer)) return
    other.isDeleted = true
    for (const { apiKey } of this.#actors.filter(({ application }) => application === other))
      this.#expect(turn, 401, (await this.#call({ ...turn, apiKey }, 'GET', '/api/applications')).status)
    this.#actors = this.#actors.filter(({ application }) => application !== other)
  }

  async #changeRoles(turn: Turn): Promise<void> {
    const other = this.#changeable(turn.subscription)
    if (!other) return
    const roles = this.#some(everyRole)
    const expected = rolesVerdict(turn.application, turn.subscription, other, roles)
    const answer = await this.#call(turn, 'PUT', `/api/applications/${other.id}/authorization-data`, { roles })
    if (this.#check(turn, expected, answer)) other.roles[turn.subscription] = new Set(roles)
  }

  async #changeRootRoles(turn: Turn): Promise<void> {
    const other = this.#changeable(turn.subscription)
    if (!other) return
    const roles = this.#dice(3) === 0 ? this.#some(everyRootRole) : []
    const answer = await this.#call(turn, 'PUT', `/api/applications/${other.id}/root-authorization-data`, { roles })
    const expected = turn.application.root.has('Owner') ? (other.isDeleted ? 'unknown' : 'ok') : 'forbidden'
    if (this.#check(turn, expected, answer)) other.root = new Set(roles)
  }

  async #metadata(turn: Turn): Promise<void> {
    const { application, subscription } = turn
    const other = this.#application(subscription)
    const path = `/api/applications/${other.id}/default-document-metadata`
    if (this.#dice(2) === 0) {
      const answer = await this.#call(turn, 'GET', path)
      if (this.#check(turn, readVerdict(application, subscription, other), answer))
        this.#expect(turn, JSON.parse(other.metadata), answer.body)
      return
    }
    const metadata = { Lote: [String(this.#dice(1000))] }
    const answer = await this.#call(turn, 'PUT', path, metadata)
    if (this.#check(turn, manageVerdict(application, subscription, other), answer))
      other.metadata = JSON.stringify(metadata)
  }

  #context(subscription: number): ModelContext | undefined {
    const own = this.#contexts.filter((one) => one.subscription === subscription && !one.isDeleted)
    return this.#one(own.length > 0 && this.#dice(4) > 0 ? own : this.#contexts)
  }

  async #newContext(turn: Turn): Promise<void> {
    const data = { name: crypto.randomUUID(), trustedRoots: authorities.roots }
    const answer = await this.#call(turn, 'POST', '/api/security-contexts', data)
    const expected = able(turn.application, turn.subscription).has('trust') ? 'ok' : 'forbidden'
    if (!this.#check(turn, expected, answer)) return
    this.#contexts.push({ id: answer.body.id, subscription: turn.subscription, isDeleted: false })
  }

  async #readContext(turn: Turn): Promise<void> {
    const context = this.#context(turn.subscription)
    if (!context) return
    const answer = await this.#call(turn, 'GET', `/api/security-contexts/${context.id}`)
    if (!this.#check(turn, contextVerdict(turn.application, turn.subscription, 'look', context), answer)) return
    this.#expect(turn, this.#defaults[turn.subscription] === context.id, answer.body.isDefault)
  }

  async #listContexts(turn: Turn): Promise<void> {
    const answer = await this.#call(turn, 'GET', '/api/security-contexts')
    const expected = able(turn.application, turn.subscription).has('look') ? 'ok' : 'forbidden'
    if (!this.#check(turn, expected, answer)) return
    const own = this.#contexts.filter((one) => one.subscription === turn.subscription && !one.isDeleted)
    this.#expect(turn, own.length + 1, answer.body.totalCount)
  }

  async #deleteContext(turn: Turn): Promise<void> {
    const context = this.#context(turn.subscription)
    // Whether a default may be deleted is not a matter of rights.
    if (!context || this.#defaults.includes(context.id)) return
    const answer = await this.#call(turn, 'DELETE', `/api/security-contexts/${context.id}`)
    const expected = contextVerdict(turn.application, turn.subscription, 'trust', context)
    if (this.#check(turn, expected, answer)) context.isDeleted = true
  }

  async #chooseDefault(turn: Turn): Promise<void> {
    const context = this.#context(turn.subscription)
    if (!context) return
    const answer = await this.#call(turn, 'PUT', '/api/security-contexts/default', { id: context.id })
    const expected = contextVerdict(turn.application, turn.subscription, 'trust', context)
    if (this.#check(turn, expected, answer)) this.#defaults[turn.subscription] = context.id
  }

  async #prepareAuthentication(turn: Turn): Promise<void> {
    const context = this.#context(turn.subscription)
    if (!context) return
    const answer = await this.#call(turn, 'POST', '/api/v2/authentication', { securityContextId: context.id })
    this.#check(turn, contextVerdict(turn.application, turn.subscription, 'work', context), answer)
  }

  async #subscriptions(turn: Turn): Promise<void> {
    const { root } = turn.application
    const path = `/api/subscriptions/${this.#one(this.#subscriptionIds)}`
    if (this.#dice(2) === 0) {
      this.#check(turn, root.size > 0 ? 'ok' : 'forbidden', await this.#call(turn, 'GET', path))
      return
    }
    const may = root.has('Owner') || root.has('Contributor')
    const answer = await this.#call(turn, 'PUT', path, { name: crypto.randomUUID() })
    this.#check(turn, may ? 'ok' : 'forbidden', answer)
  }
}

// Random calls about the items of two organizations that know each other's ids.
import type { Answer } from '@chancela/testkit/service-world'
import type { CredentialWorld } from '../credential-world.ts'
import { itemsAt } from '../items.ts'
import { acts, actVerdict, apply, type Item, type ItemKind } from './item-model.ts'
import { type Actor, readVerdict, type Verdict } from './model.ts'

export interface ItemTurn extends Actor {
  readonly place: number
  readonly what: string
}

/** What the prover lends. */
interface Lent {
  readonly world: CredentialWorld
  readonly dice: (below: number) => number
  placeOf(place: number): { readonly subscriptionId: string; readonly instituteId: string }
  call(turn: ItemTurn, method: string, path: string, body?: object): Promise<Answer>
  check(turn: ItemTurn, expected: Verdict, answer: Answer): boolean
  expect(turn: ItemTurn, expected: unknown, found: unknown): void
}

/** Where a kind is read; those of institutions stand under them. */
const paths: Readonly<Record<ItemKind, (instituteId: string) => string>> = {
  Degree: () => '/api/degrees',
  Emission: () => '/api/emissions',
  Registration: () => '/api/registrations',
  AcademicTranscript: () => '/api/academic-transcripts',
  Curriculum: () => '/api/curriculums',
  CancellationList: (id) => `/api/institutes/${id}/cancellation-lists`,
  InspectionFile: (id) => `/api/institutes/${id}/inspection-files`,
  Restamp: () => '/api/restamps',
}

/** The states that items begin with here. */
const beginnings: Readonly<Record<ItemKind, readonly string[]>> = {
  Degree: ['Pending', 'Concluded', 'CanceledTemporarily'],
  Emission: ['Created', 'Signed', 'SentToRegistry'],
  Registration: ['AwaitingAcceptance', 'Accepted', 'Rejected'],
  AcademicTranscript: ['Pending', 'Concluded', 'CanceledTemporarily'],
  Curriculum: ['Pending', 'Concluded'],
  CancellationList: ['Signed'],
  InspectionFile: ['Signed'],
  Restamp: ['ApplyingError', 'Applied'],
}

const kinds = Object.keys(paths) as ItemKind[]

/** So few of a kind in an organization that a list has all of them. */
const MOST = 60

export class ItemSteps {
  readonly #lent: Lent
  readonly #items: Item[] = []
  #sequence = 0

  constructor(lent: Lent) {
    this.#lent = lent
  }

  /** Ids of an organization; what its webhook is told of and nobody else's. */
  idsAt = (place: number): readonly string[] => this.#items.filter((one) => one.place === place).map(({ id }) => id)

  /** A degree that the organization is told of; undefined where there are enough. */
  async announced(place: number): Promise<string | undefined> {
    if (this.#count('Degree', place) >= MOST) return undefined
    return (await this.#make('Degree', place, 'Pending', {}, false)).id
  }

  /** Of both organizations, each kind, so that nobody asks in vain. */
  async prepare(): Promise<void> {
    for (const place of [0, 1]) for (const kind of kinds) await this.#make(kind, place)
    for (const place of [0, 1]) await this.#exchange(place)
  }

  readonly steps: Readonly<Record<string, (turn: ItemTurn) => Promise<void>>> = {
    makeItem: () => this.#makeOne(),
    readItem: (turn) => this.#read(turn),
    listItems: (turn) => this.#list(turn),
    actOnItem: (turn) => this.#act(turn),
    actOnExchange: (turn) => this.#act(turn, (one) => one.partner !== undefined),
    resendItems: (turn) => this.#resend(turn),
  }

  #one<T>(from: readonly T[]): T {
    return from[this.#lent.dice(from.length)]!
  }

  #pick(turn: ItemTurn, fits: (item: Item) => boolean = () => true): Item {
    const all = this.#items.filter(fits)
    const own = all.filter(({ place }) => place === turn.place)
    return this.#one(own.length > 0 && this.#lent.dice(3) > 0 ? own : all)
  }

  #count(kind: ItemKind, place: number): number {
    return this.#items.filter((one) => one.kind === kind && one.place === place).length
  }

  async #makeOne(): Promise<void> {
    const [place, kind] = [this.#lent.dice(2), this.#one(kinds)]
    if (this.#count(kind, place) >= MOST) return
    await (kind === 'Emission' && this.#lent.dice(2) > 0 ? this.#exchange(place) : this.#make(kind, place))
  }

  async #make(
    kind: ItemKind,
    place: number,
    status = this.#one(beginnings[kind]),
    more: { readonly id?: string; readonly [column: string]: string | undefined } = {},
    isSilent = true,
  ): Promise<Item> {
    const at = this.#lent.placeOf(place)
    const numbered = kind === 'CancellationList' ? { sequence_number: ++this.#sequence } : {}
    const made = await itemsAt(this.#lent.world, at).create(kind, { status, ...numbered, ...more }, isSilent)
    const item: Item = { id: more.id ?? made, kind, place, instituteId: at.instituteId, status }
    this.#items.push(item)
    return item
  }

  /** An emission of one organization at the registrar in the other. */
  async #exchange(place: number): Promise<void> {
    const id = crypto.randomUUID()
    const sent = { registration_id: id, registration_status: 'AwaitingAcceptance' }
    const emission = await this.#make('Emission', place, 'SentToRegistry', sent)
    const request = await this.#make('Registration', 1 - place, 'AwaitingAcceptance', { id, emission_id: emission.id })
    emission.registrationStatus = 'AwaitingAcceptance'
    emission.partner = request
    request.partner = emission
  }

  async #read(turn: ItemTurn): Promise<void> {
    const item = this.#pick(turn, ({ kind }) => kind !== 'Restamp')
    const answer = await this.#lent.call(turn, 'GET', `${paths[item.kind](item.instituteId)}/${item.id}`)
    const verdict = readVerdict(turn, turn.place)
    if (!this.#lent.check(turn, verdict === 'ok' && item.place !== turn.place ? 'unknown' : verdict, answer)) return
    this.#lent.expect(turn, item.status, answer.body.status)
    if (item.registrationStatus !== undefined)
      this.#lent.expect(turn, item.registrationStatus, answer.body.registrationStatus)
  }

  async #list(turn: ItemTurn): Promise<void> {
    const kind = this.#one(kinds)
    const { instituteId } = this.#lent.placeOf(turn.place)
    const answer = await this.#lent.call(turn, 'GET', `${paths[kind](instituteId)}?pageSize=100`)
    if (!this.#lent.check(turn, readVerdict(turn, turn.place), answer)) return
    const own = this.#items.filter((one) => one.kind === kind && one.place === turn.place)
    const shown = (answer.body.items as readonly Item[]).map(({ id, status }) => `${id} ${status}`)
    this.#lent.expect(turn, own.map(({ id, status }) => `${id} ${status}`).toSorted(), shown.toSorted())
  }

  async #act(turn: ItemTurn, fits: (item: Item) => boolean = () => true): Promise<void> {
    const item = this.#pick(turn, (one) => acts[one.kind].length > 0 && fits(one))
    const act = this.#one(acts[item.kind])
    const path = `${paths[item.kind](item.instituteId)}/${item.id}/${act.path}`
    const answer = await this.#lent.call(turn, 'POST', path, act.body)
    if (this.#lent.check(turn, actVerdict(turn, turn.place, item, act), answer)) apply(turn, item, act)
  }

  /** Of what is somebody else's it is said that there is none. */
  async #resend(turn: ItemTurn): Promise<void> {
    const kind = this.#one(['Degree', 'Emission', 'Registration', 'AcademicTranscript', 'Curriculum'] as const)
    const of = (place: number) => this.#one(this.#items.filter((one) => one.kind === kind && one.place === place)).id
    const [own, foreign] = [of(turn.place), of(1 - turn.place)]
    const answer = await this.#lent.call(turn, 'POST', '/api/webhooks/resend', { kind, ids: [own, foreign] })
    if (this.#lent.check(turn, readVerdict(turn, turn.place), answer))
      this.#lent.expect(turn, { scheduled: 1, unknown: [foreign] }, answer.body)
  }
}

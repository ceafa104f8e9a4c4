// What the applications of two subscriptions do all day: sessions, signatures, faces, webhooks. Both have the same
// certificates, identifiers and names of documents; whose something is decides alone.
import type { Answer } from '@chancela/testkit/service-world'
import { builtInContexts } from '../../../src/contract/authentication.ts'
import type { CoreWorld } from '../core-world.ts'
import { pending, policies } from '../earlier-signing.ts'
import { certificateOf, signedBy, signedHash } from '../pki.ts'
import { pageOf, signAll } from '../sessions.ts'
import { inline } from '../signing.ts'
import { enrolled } from '../subjects.ts'
import { type Ability, able, type Turn, type Verdict } from './model.ts'

/** What a step needs of the walk. */
export interface Walk {
  readonly world: CoreWorld
  readonly subscriptionIds: readonly string[]
  /** Addresses of webhooks, one for each subscription. */
  readonly hooks: readonly string[]
  dice(below: number): number
  one<T>(from: readonly T[]): T
  call(turn: Turn, method: string, path: string, body?: object): Promise<Answer>
  check(turn: Turn, expected: Verdict, answer: Answer): boolean
  expect(turn: Turn, expected: unknown, found: unknown): void
}

interface Owned {
  readonly subscription: number
  isGone: boolean
}

interface Session extends Owned {
  readonly id: string
  readonly applicationId: string
  readonly token: string
  status: 'Pending' | 'Completed'
}

interface Signature extends Owned {
  readonly token: string
  readonly signature: string
  /** Whether it waits for what the browser leaves. */
  readonly isPending: boolean
}

interface Known extends Owned {
  readonly id: string
}

const ANA = 'ana-souza'
const NAME = 'contrato.txt'
const file = () => inline(NAME, 'the same text')
const identifiers = ['52998224725', 'maria@example.com', 'matrícula 7']
const securityContextId = builtInContexts.pkiBrazil
const returnUrl = 'https://app.example/back'

export type Step = (turn: Turn) => Promise<void>

export class Work {
  readonly #walk: Walk
  readonly #sessions: Session[] = []
  readonly #documents: Known[] = []
  readonly #states: Signature[] = []
  readonly #proofs: Signature[] = []
  readonly #earlier: Signature[] = []
  readonly #subjects: (Known & { readonly identifier: string })[] = []
  readonly #captures: Known[] = []
  readonly #webhooks: (string | undefined)[] = [undefined, undefined]

  constructor(walk: Walk) {
    this.#walk = walk
  }

  /** Documents that were signed, by subscription: a webhook is told of its own. */
  documentsOf(subscription: number): readonly string[] {
    return this.#documents.filter((one) => one.subscription === subscription).map(({ id }) => id)
  }

  readonly steps: Readonly<Record<string, Step>> = {
    newSession: (turn) => this.#newSession(turn),
    readSession: (turn) => this.#readSession(turn),
    deleteSession: (turn) => this.#deleteSession(turn),
    signInSession: (turn) => this.#signInSession(turn),
    prepareSignature: (turn) => this.#prepareSignature(turn),
    completeSignature: (turn) => this.#completeSignature(turn),
    readDocument: (turn) => this.#readDocument(turn),
    deleteDocument: (turn) => this.#deleteDocument(turn),
    newProof: (turn) => this.#newProof(turn),
    showProof: (turn) => this.#showProof(turn),
    startEarlier: (turn) => this.#startEarlier(turn),
    completeEarlier: (turn) => this.#completeEarlier(turn),
    enroll: (turn) => this.#enroll(turn),
    findSubject: (turn) => this.#findSubject(turn),
    readSubject: (turn) => this.#readSubject(turn),
    deleteSubject: (turn) => this.#deleteSubject(turn),
    startCapture: (turn) => this.#startCapture(turn),
    readCapture: (turn) => this.#readCapture(turn),
    putWebhook: (turn) => this.#putWebhook(turn),
    readWebhook: (turn) => this.#readWebhook(turn),
    deleteWebhook: (turn) => this.#deleteWebhook(turn),
  }

  #may({ application, subscription }: Turn, ability: Ability): Verdict {
    return able(application, subscription).has(ability) ? 'ok' : 'forbidden'
  }

  /** Acting on something: it is unknown where it is another's, or no more. */
  #verdict(turn: Turn, ability: Ability, { subscription, isGone }: Owned): Verdict {
    const may = this.#may(turn, ability)
    return may === 'ok' && (isGone || subscription !== turn.subscription) ? 'unknown' : may
  }

  /** Most often one of the subscription that is still there. */
  #any<T extends Owned>(from: readonly T[], { subscription }: Turn): T | undefined {
    const own = from.filter((one) => one.subscription === subscription && !one.isGone)
    return this.#walk.one(own.length > 0 && this.#walk.dice(3) > 0 ? own : from)
  }

  async #newSession(turn: Turn): Promise<void> {
    const body = { documents: [{ file: file() }], securityContextId, callbackArgument: 'case 7' }
    const answer = await this.#walk.call(turn, 'POST', '/api/signature-sessions', body)
    if (!this.#walk.check(turn, this.#may(turn, 'work'), answer)) return
    const { sessionId: id, redirectUrl } = answer.body
    const token = new URL(redirectUrl).searchParams.get('token')!
    const { subscription, application } = turn
    this.#sessions.push({ id, token, subscription, applicationId: application.id, status: 'Pending', isGone: false })
  }

  /** Sessions are their application's alone. */
  #sessionVerdict(turn: Turn, ability: Ability, session: Session): Verdict {
    const isOthers = session.applicationId !== turn.application.id
    return this.#verdict(turn, ability, { ...session, isGone: session.isGone || isOthers })
  }

  #session(turn: Turn): Session | undefined {
    const mine = this.#sessions.filter(({ applicationId }) => applicationId === turn.application.id)
    return this.#any(mine.length > 0 && this.#walk.dice(2) > 0 ? mine : this.#sessions, turn)
  }

  async #readSession(turn: Turn): Promise<void> {
    const session = this.#session(turn)
    if (!session) return
    const path = `/api/signature-sessions/${session.id}`
    const answer = await this.#walk.call(turn, 'GET', path)
    if (!this.#walk.check(turn, this.#sessionVerdict(turn, 'look', session), answer)) return
    const { status, documents } = answer.body
    this.#walk.expect(turn, [session.status, 1], [status, documents.length])
    if (session.status === 'Pending') return
    const ended = await this.#walk.call(turn, 'GET', `${path}/when-completed`)
    this.#walk.expect(turn, { completed: true, progress: 100 }, ended.body)
  }

  async #deleteSession(turn: Turn): Promise<void> {
    const session = this.#session(turn)
    if (!session || this.#walk.dice(2) > 0) return
    const answer = await this.#walk.call(turn, 'DELETE', `/api/signature-sessions/${session.id}`)
    if (this.#walk.check(turn, this.#sessionVerdict(turn, 'work', session), answer)) session.isGone = true
  }

  /** Whoever has the token sees and signs this session, and no other. */
  async #signInSession(turn: Turn): Promise<void> {
    const session = this.#any(this.#sessions, turn)
    if (!session || session.isGone) return
    const { page } = pageOf(this.#walk.world, session.token)
    const { body: shown } = await page('GET', '/api/signature-session')
    this.#walk.expect(turn, [session.id, session.status, 1], [shown.id, shown.status, shown.documents.length])
    const [document] = shown.documents
    for (const { id } of this.#documents.filter((one) => one.id !== document.id).slice(-2)) {
      const other = await page('GET', `/api/signature-session/documents/${id}/content`)
      this.#walk.expect(turn, 'DocumentNotFound', other.body.code)
    }
    if (session.status !== 'Pending') return
    const signed = await signAll({ page }, ANA)
    this.#walk.expect(turn, 'Completed', signed.body.status)
    session.status = 'Completed'
    this.#documents.push({ id: document.id, subscription: session.subscription, isGone: false })
  }

  async #prepareSignature(turn: Turn): Promise<void> {
    const body = { file: file(), certificate: { content: certificateOf(ANA) }, securityContextId }
    const answer = await this.#walk.call(turn, 'POST', '/api/signature', body)
    if (!this.#walk.check(turn, this.#may(turn, 'work'), answer)) return
    const { state: token, toSign } = answer.body
    const signature = signedBy(ANA, toSign.data)
    this.#states.push({ token, signature, subscription: turn.subscription, isGone: false, isPending: false })
  }

  async #completeSignature(turn: Turn): Promise<void> {
    const begun = this.#any(this.#states, turn)
    if (!begun) return
    const body = { state: begun.token, signature: begun.signature }
    const answer = await this.#walk.call(turn, 'POST', '/api/signature/completion', body)
    if (!this.#walk.check(turn, this.#verdict(turn, 'work', begun), answer)) return
    begun.isGone = true
    this.#documents.push({ id: answer.body.id, subscription: turn.subscription, isGone: false })
  }

  async #readDocument(turn: Turn): Promise<void> {
    const document = this.#any(this.#documents, turn)
    if (!document) return
    const answer = await this.#walk.call(turn, 'GET', `/api/documents/${document.id}`)
    if (!this.#walk.check(turn, this.#verdict(turn, 'look', document), answer)) return
    this.#walk.expect(turn, NAME, answer.body.originalFile.name)
    const byKey = await this.#walk.call(turn, 'GET', `/api/documents/keys/${answer.body.key}`)
    this.#walk.expect(turn, document.id, byKey.body.document?.id)
  }

  async #deleteDocument(turn: Turn): Promise<void> {
    const document = this.#any(this.#documents, turn)
    if (!document || this.#walk.dice(2) > 0) return
    const answer = await this.#walk.call(turn, 'DELETE', `/api/documents/${document.id}`)
    if (this.#walk.check(turn, this.#verdict(turn, 'manage', document), answer)) document.isGone = true
  }

  async #newProof(turn: Turn): Promise<void> {
    const answer = await this.#walk.call(turn, 'POST', '/api/v2/authentication', { securityContextId })
    if (!this.#walk.check(turn, this.#may(turn, 'work'), answer)) return
    const { state: token, toSign } = answer.body
    const signature = signedBy(ANA, toSign.data)
    this.#proofs.push({ token, signature, subscription: turn.subscription, isGone: false, isPending: false })
  }

  /** A state of another subscription is stale, and is not used up by that. */
  async #showProof(turn: Turn): Promise<void> {
    const proof = this.#any(this.#proofs, turn)
    if (!proof) return
    const body = { state: proof.token, certificate: certificateOf(ANA), signature: proof.signature }
    const answer = await this.#walk.call(turn, 'POST', '/api/v2/authentication/completion', body)
    if (!this.#walk.check(turn, this.#may(turn, 'work'), answer)) return
    const isGood = this.#verdict(turn, 'work', proof) === 'ok'
    this.#walk.expect(turn, isGood ? null : 'StaleSession', answer.body.failure)
    if (isGood) proof.isGone = true
  }

  /** With the certificate, or for the component in the browser. */
  async #startEarlier(turn: Turn): Promise<void> {
    const isPending = this.#walk.dice(2) === 0
    const request = {
      contentToSign: Buffer.from('the same text').toString('base64'),
      signaturePolicyId: policies.cadesBes,
      securityContextId,
      ...(!isPending && { certificate: certificateOf(ANA) }),
    }
    const answer = await this.#walk.call(turn, 'POST', '/Api/CadesSignatures', request)
    if (!this.#walk.check(turn, this.#may(turn, 'work'), answer)) return
    const { token, toSignHash } = answer.body
    const signature = isPending ? await this.#leave(turn, token) : signedHash(ANA, toSignHash)
    this.#earlier.push({ token, signature, subscription: turn.subscription, isGone: false, isPending })
  }

  async #leave(turn: Turn, token: string): Promise<string> {
    const { world } = this.#walk
    const chosen = await pending(world, token, 'POST', '/Certificate', { certificate: certificateOf(ANA) })
    const signature = signedHash(ANA, chosen.body.toSignHash)
    this.#walk.expect(turn, 200, (await pending(world, token, 'POST', '', { signature })).status)
    return signature
  }

  async #completeEarlier(turn: Turn): Promise<void> {
    const begun = this.#any(this.#earlier, turn)
    if (!begun) return
    const [step, body] = begun.isPending
      ? (['Finalize', {}] as const)
      : (['SignedBytes', { signature: begun.signature }] as const)
    const answer = await this.#walk.call(turn, 'POST', `/Api/CadesSignatures/${begun.token}/${step}`, body)
    if (this.#walk.check(turn, this.#verdict(turn, 'work', begun), answer)) begun.isGone = true
  }

  #subjectCalled(identifier: string, { subscription }: Pick<Turn, 'subscription'>) {
    return this.#subjects.find(
      (one) => one.identifier === identifier && one.subscription === subscription && !one.isGone,
    )
  }

  /** The engine has nothing to do with whose a face is: rows are as an enrollment leaves them. */
  async #enroll(turn: Turn): Promise<void> {
    const identifier = this.#walk.one(identifiers)
    if (this.#subjectCalled(identifier, turn)) return
    const { id } = await enrolled(this.#walk.world, this.#walk.subscriptionIds[turn.subscription]!, identifier)
    this.#subjects.push({ id, identifier, subscription: turn.subscription, isGone: false })
  }

  async #findSubject(turn: Turn): Promise<void> {
    const identifier = this.#walk.one(identifiers)
    const path = `/api/bio/subjects?identifier=${encodeURIComponent(identifier)}`
    const answer = await this.#walk.call(turn, 'GET', path)
    const subject = this.#subjectCalled(identifier, turn)
    const may = this.#may(turn, 'look')
    if (this.#walk.check(turn, may === 'ok' && !subject ? 'unknown' : may, answer))
      this.#walk.expect(turn, subject!.id, answer.body.id)
  }

  async #readSubject(turn: Turn): Promise<void> {
    const subject = this.#any(this.#subjects, turn)
    if (!subject) return
    const path = `/api/bio/subjects/${subject.id}`
    // That there was one is known after its end.
    const kept = { ...subject, isGone: false }
    const answer = await this.#walk.call(turn, 'GET', path)
    if (this.#walk.check(turn, this.#verdict(turn, 'look', kept), answer))
      this.#walk.expect(turn, subject.isGone ? null : subject.identifier, answer.body.identifier)
    this.#walk.check(turn, this.#verdict(turn, 'work', subject), await this.#walk.call(turn, 'GET', `${path}/face`))
  }

  async #deleteSubject(turn: Turn): Promise<void> {
    const subject = this.#any(this.#subjects, turn)
    if (!subject || this.#walk.dice(2) > 0) return
    const answer = await this.#walk.call(turn, 'DELETE', `/api/bio/subjects/${subject.id}`)
    // Doing it again answers the same.
    const kept = { ...subject, isGone: false }
    if (this.#walk.check(turn, this.#verdict(turn, 'manage', kept), answer)) subject.isGone = true
  }

  async #startCapture(turn: Turn): Promise<void> {
    const identifier = this.#walk.one(identifiers)
    const subject = this.#subjectCalled(identifier, turn)
    const may = this.#may(turn, 'work')
    const start = '/api/bio/sessions'
    const asked = await this.#walk.call(turn, 'POST', `${start}/authentication`, { returnUrl, subject: { identifier } })
    const isKept = this.#walk.check(turn, may === 'ok' && !subject ? 'unknown' : may, asked)
    if (isKept) this.#captures.push({ id: asked.body.sessionId, subscription: turn.subscription, isGone: false })
    const enrolling = await this.#walk.call(turn, 'POST', `${start}/enrollment`, {
      returnUrl,
      subjectIdentifier: identifier,
    })
    if (may === 'ok') this.#walk.expect(turn, subject ? 'SubjectAlreadyEnrolled' : undefined, enrolling.body.code)
    else this.#walk.check(turn, may, enrolling)
  }

  async #readCapture(turn: Turn): Promise<void> {
    const capture = this.#any(this.#captures, turn)
    if (!capture) return
    const path = `/api/bio/sessions/authentication/${capture.id}/status`
    this.#walk.check(turn, this.#verdict(turn, 'look', capture), await this.#walk.call(turn, 'GET', path))
  }

  /** The webhook of one of both; of the other subscription an application learns nothing, whatever it may there. */
  #webhook(turn: Turn) {
    const at = this.#walk.dice(3) > 0 ? turn.subscription : this.#walk.dice(2)
    const path = `/api/subscriptions/${this.#walk.subscriptionIds[at]}/webhook`
    const isGone = this.#webhooks[at] === undefined
    return { at, path, put: this.#verdict(turn, 'manage', { subscription: at, isGone: false }), isGone }
  }

  async #putWebhook(turn: Turn): Promise<void> {
    const { at, path, put } = this.#webhook(turn)
    const url = `${this.#walk.hooks[at]}?${this.#walk.dice(1000)}`
    const answer = await this.#walk.call(turn, 'PUT', path, { url })
    if (!this.#walk.check(turn, put, answer)) return
    this.#webhooks[at] = url
    this.#walk.expect(turn, url, answer.body.url)
  }

  async #readWebhook(turn: Turn): Promise<void> {
    const { at, path, isGone } = this.#webhook(turn)
    const answer = await this.#walk.call(turn, 'GET', path)
    if (this.#walk.check(turn, this.#verdict(turn, 'manage', { subscription: at, isGone }), answer))
      this.#walk.expect(turn, this.#webhooks[at], answer.body.url)
  }

  async #deleteWebhook(turn: Turn): Promise<void> {
    const { at, path, isGone } = this.#webhook(turn)
    if (this.#walk.dice(2) > 0) return
    const answer = await this.#walk.call(turn, 'DELETE', path)
    if (this.#walk.check(turn, this.#verdict(turn, 'manage', { subscription: at, isGone }), answer))
      this.#webhooks[at] = undefined
  }
}

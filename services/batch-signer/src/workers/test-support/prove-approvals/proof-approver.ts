import { sign } from 'node:crypto'
import { codeOf } from '@chancela/testkit/console'
import type { IssuedCertificate } from '@chancela/testkit/demo-pki'
import { linkToken } from '../../../parts/approvals/approver-links.ts'
import { LINK_SECRET } from './approval-plan.ts'
import type { Answer, Call } from './caller.ts'
import type { Call as Decided } from './check-history.ts'

type Outcome = Pick<Decided, 'status' | 'released' | 'terminated'>

/** Somebody of the pools, with a browser, a certificate, and an authenticator app where codes are asked for. */
export class ProofApprover {
  readonly email: string
  readonly issued: IssuedCertificate
  readonly #call: Call
  /** The session in which a code was given, and one in which none was. */
  #cookie = ''
  #codeless = ''

  constructor(email: string, issued: IssuedCertificate, call: Call) {
    this.email = email
    this.issued = issued
    this.#call = call
  }

  /** Comes by the link, twice; enrols the app in the first browser, whose codes are good for a while from then on. */
  async enter(asksForCodes: boolean): Promise<void> {
    this.#cookie = await this.#session()
    this.#codeless = await this.#session()
    if (asksForCodes) await this.#enrol()
  }

  /** Over the route that takes anybody's word; `email` may be that of a stranger. */
  async say(jobId: string, decision: Decided['decision'], email = this.email): Promise<Outcome> {
    return outcomeOf(await this.#call('POST', `/api/approvals/${jobId}`, { body: { email, decision } }))
  }

  /** In the portal, from the browser in which a code was given or from the other. */
  async decide(jobId: string, decision: Decided['decision'], withoutCode: boolean): Promise<Outcome> {
    const act = decision === 'approved' ? 'approve' : 'reject'
    const cookie = withoutCode ? this.#codeless : this.#cookie
    return outcomeOf(await this.#call('POST', `/approvals/api/jobs/${jobId}/${act}`, { cookie }))
  }

  /** What the page does with a certificate, `times` at once; no outcome when nothing was sent. */
  async sign(jobId: string, { issued, isAltered }: Signing, times: number): Promise<readonly Outcome[]> {
    const path = `/approvals/api/jobs/${jobId}/signature`
    const body = { certificate: issued.der.toString('base64') }
    const begun = await this.#call('POST', path, { cookie: this.#cookie, body })
    const toMake = begun?.body.toMake
    if (!toMake) return []
    const toSign = Buffer.from(toMake.toSign, 'base64')
    const made = sign('sha256', isAltered ? Buffer.concat([toSign, toSign]) : toSign, {
      key: this.issued.key.privateKey,
      dsaEncoding: 'ieee-p1363',
    })
    const sent = { token: toMake.token, signature: made.toString('base64') }
    const send = () => this.#call('PUT', path, { cookie: this.#cookie, body: sent })
    return (await Promise.all(Array.from({ length: times }, send))).map(signedOutcome)
  }

  async #session(): Promise<string> {
    const answer = await this.#call('GET', `/approvals/link/${linkToken(LINK_SECRET, this.email)}`)
    if (!answer?.cookie) throw new Error(`The link of ${this.email} was not accepted.`)
    return answer.cookie
  }

  async #enrol(): Promise<void> {
    const path = '/approvals/api/second-factor'
    const { secret, enrolment } = (await this.#call('POST', path, { cookie: this.#cookie }))!.body
    const body = { enrolment, code: codeOf(secret, new Date()) }
    const answer = await this.#call('PUT', path, { cookie: this.#cookie, body })
    if (!answer?.body.verified) throw new Error(`The app of ${this.email} was not accepted.`)
  }
}

/** What somebody signs with: somebody else's certificate, or bytes that were not asked for, make a forgery. */
export interface Signing {
  readonly issued: IssuedCertificate
  readonly isAltered: boolean
}

function outcomeOf(answer: Answer | undefined): Outcome {
  if (!answer) return {}
  const { released, terminated } = answer.body
  return {
    status: answer.status,
    ...(released !== undefined && { released }),
    ...(terminated !== undefined && { terminated }),
  }
}

/** What is only shown to who signs counts as refused. */
const signedOutcome = (answer: Answer | undefined): Outcome =>
  answer?.status === 200 && answer.body.approved === null
    ? { status: 409 }
    : outcomeOf(answer && { ...answer, body: answer.body.approved ?? {} })

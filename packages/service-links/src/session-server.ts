// The session server, through the operations of its contract on approvals: holders approve at their workstations.

import type { CheckResult } from '@chancela/service-kernel/health'
import {
  type ApprovalProblem,
  type ApprovalState,
  cancelApproval,
  createApproval,
  readApproval,
  signApproved,
} from '@chancela/session-server/contract'
import type { Static } from 'typebox'
import { field, type LinkOptions, LinkProblem, ServiceLink, text } from './service-link.ts'

/** An approval, as far as it is. */
export interface Approval {
  readonly id: string
  readonly state: ApprovalState
  readonly problem: ApprovalProblem | null
  readonly code: string
  readonly expiresAt: string
  /** DER, base64. */
  readonly certificate: string | null
}

/** Every method throws LinkProblem. */
export class SessionServer {
  readonly #link: ServiceLink
  readonly #timeoutMs: number

  constructor(options: Omit<LinkOptions, 'codeIn'>) {
    this.#link = new ServiceLink({ ...options, codeIn: (content) => field(field(content, 'error'), 'code') })
    this.#timeoutMs = options.timeoutMs
  }

  async begin(body: Static<typeof createApproval.body>): Promise<Approval> {
    return approvalIn(await this.#link.ask(createApproval.method, createApproval.path, { body }))
  }

  async read(id: string): Promise<Approval> {
    return approvalIn(await this.#link.ask(readApproval.method, pathOf(readApproval, id)))
  }

  /** The session server forgets approvals some time after they ended, and when it is restarted. */
  async readOrExpired(id: string): Promise<Pick<Approval, 'state' | 'problem' | 'certificate'>> {
    try {
      return await this.read(id)
    } catch (error) {
      if (!(error instanceof LinkProblem) || error.code !== 'APPROVAL_NOT_FOUND') throw error
      return { state: 'EXPIRED', problem: null, certificate: null }
    }
  }

  /** The signatures of what was approved, in its order. */
  async sign(id: string, body: Static<typeof signApproved.body>): Promise<readonly Buffer[]> {
    const asked = { body, timeoutMs: this.#timeoutMs }
    const signatures = field(await this.#link.ask(signApproved.method, pathOf(signApproved, id), asked), 'signatures')
    if (!Array.isArray(signatures)) throw new LinkProblem('not-understood', 'The answer has no signatures.')
    return signatures.map((signature) => Buffer.from(text(signature), 'base64'))
  }

  async cancel(id: string): Promise<void> {
    await this.#link.ask(cancelApproval.method, pathOf(cancelApproval, id))
  }

  /** Whether it answers; throws HttpProblem. */
  reach(signal: AbortSignal): Promise<CheckResult> {
    return this.#link.reach(signal)
  }

  close(): Promise<void> {
    return this.#link.close()
  }
}

const pathOf = ({ path }: { readonly path: string }, id: string): string =>
  path.replace('{approvalId}', encodeURIComponent(id))

function approvalIn(answer: unknown): Approval {
  const [problem, certificate] = [field(answer, 'problem'), field(answer, 'certificate')]
  return {
    id: text(field(answer, 'approvalId')),
    state: text(field(answer, 'state')) as ApprovalState,
    problem: problem === null ? null : (text(problem) as ApprovalProblem),
    code: text(field(answer, 'code')),
    expiresAt: text(field(answer, 'expiresAt')),
    certificate: certificate === null ? null : text(certificate),
  }
}

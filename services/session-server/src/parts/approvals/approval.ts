import type { Certificate } from '@chancela/signature-engine/x509'
import type { ApprovalProblem, ApprovalState } from '../../contract/approvals.ts'
import { type ApprovalMove, stateAfter } from '../../rules/approval-states.ts'
import type { AgentConnection } from '../workstations/agent-connection.ts'

/** What an application asks for, and who it is. */
export interface ApprovalRequest {
  readonly kind: 'sign' | 'test'
  readonly site: string
  readonly requester?: string | undefined
  /** Names; none in a test. */
  readonly documents: readonly string[]
  readonly cpf?: string | undefined
  readonly applicationId: string
  readonly application: string
}

/** Who approved: a certificate at an agent. The approval ends with the agent's connection. */
export interface Approver {
  readonly agent: AgentConnection
  readonly certificate: Certificate
  readonly chain: readonly Certificate[]
}

/** One request and its way through the states. In memory: it lives for minutes and rests on a connection. */
export class Approval {
  readonly id: string
  readonly request: ApprovalRequest
  readonly code: string
  expiresAt: Date
  problem: ApprovalProblem | null = null
  approver: Approver | undefined
  /** Whether an agent took the code: it is good once. */
  isPaired = false
  readonly #over = new AbortController()
  #state: ApprovalState = 'WAITING'
  #asking = new AbortController()
  #endedAt: Date | undefined

  constructor(id: string, code: string, request: ApprovalRequest, expiresAt: Date) {
    this.id = id
    this.code = code
    this.request = request
    this.expiresAt = expiresAt
  }

  get state(): ApprovalState {
    return this.#state
  }

  /** Aborted when nobody is to be asked any more. */
  get asking(): AbortSignal {
    return this.#asking.signal
  }

  /** Aborted when it has ended. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  get endedAt(): Date | undefined {
    return this.#endedAt
  }

  /** Nothing is asked for it any more. */
  end(now: Date): void {
    this.#endedAt = now
    this.#over.abort()
    this.takeBack()
  }

  /** Makes a move; false where the table does not have it from here. */
  move(move: ApprovalMove): boolean {
    const next = stateAfter(this.#state, move)
    if (!next) return false
    this.#state = next
    return true
  }

  /** Takes the question back from every screen; whoever is asked next is asked anew. */
  takeBack(): void {
    this.#asking.abort()
    this.#asking = new AbortController()
  }
}

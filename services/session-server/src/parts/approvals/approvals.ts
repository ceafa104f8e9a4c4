// Signatures that holders approve at their workstations, for pages shown elsewhere: who is asked, by CPF or by a code,
// and what an approval is good for.
import { randomUUID } from 'node:crypto'
import { MINUTE, plus, SECOND } from '@chancela/service-kernel/clock'
import { invalidField } from '@chancela/service-kernel/errors'
import type { NewEvent } from '@chancela/service-kernel/events'
import { holderOf, isCpf } from '@chancela/signature-engine/x509'
import { newPairingCode, readPairingCode } from '../../channel/index.ts'
import type { Context } from '../../context.ts'
import type { ApprovalProblem } from '../../contract/approvals.ts'
import { type ApprovalMove, isOpenState } from '../../rules/approval-states.ts'
import { refuse } from '../../rules/refuse.ts'
import { certificatesOfCpf } from '../../store/certificate-rows.ts'
import type { Certificates } from '../certificates/certificates.ts'
import { act, said } from '../console/audit.ts'
import type { AgentConnection, ConnectionEvents } from '../workstations/agent-connection.ts'
import type { WorkstationHub } from '../workstations/workstation-hub.ts'
import { Approval, type ApprovalRequest, type Approver } from './approval.ts'
import { type ApprovalAnswer, askForApproval } from './ask-agent.ts'
import { Screens } from './screens.ts'
import { NotSigned, signaturesOf, type ToSign } from './sign-approved.ts'
import { WrongCodes } from './wrong-codes.ts'

/** How long the end of an approval can be read. */
const REMEMBERED = 10 * MINUTE

interface ApprovalParts {
  readonly certificates: Pick<Certificates, 'statusOf'>
  readonly workstations: Pick<WorkstationHub, 'connectionOf' | 'onPair'>
}

type PairMessage = Parameters<ConnectionEvents['onPair']>[1]

export class Approvals {
  readonly #context: Context
  readonly #parts: ApprovalParts
  readonly #approvals = new Map<string, Approval>()
  readonly #screens: Screens
  readonly #wrongCodes: WrongCodes

  constructor(context: Context, parts: ApprovalParts) {
    this.#context = context
    this.#parts = parts
    this.#screens = new Screens(context.settings.Approvals)
    this.#wrongCodes = new WrongCodes(context.settings.Approvals.MaxWrongCodes)
    parts.workstations.onPair((connection, message) => this.#pair(connection, message))
  }

  /** Begins one. Agents of the CPF are asked meanwhile: the answer does not depend on whether there are any. */
  begin(request: ApprovalRequest, now: Date): Approval {
    requireWhole(request)
    const { LifeSeconds, MaxOpen } = this.#context.settings.Approvals
    if (this.#open().length >= MaxOpen) throw refuse('SERVER_BUSY')
    const approval = new Approval(randomUUID(), this.#newCode(), request, plus(now, LifeSeconds * SECOND))
    this.#approvals.set(approval.id, approval)
    if (request.cpf !== undefined) void this.#askHolder(approval, request.cpf, now)
    return approval
  }

  /** That of an application; those of others are not there. */
  find(id: string, applicationId: string, now: Date): Approval {
    const approval = this.#approvals.get(id)
    if (approval?.request.applicationId !== applicationId) throw refuse('APPROVAL_NOT_FOUND')
    this.#expire(approval, now)
    return approval
  }

  /** Signs once what was approved. */
  async sign(approval: Approval, toSign: ToSign, signal: AbortSignal): Promise<readonly Buffer[]> {
    requireAsApproved(approval.request, toSign)
    if (approval.state === 'WAITING') throw refuse('APPROVAL_NOT_READY')
    if (!approval.move('begin')) throw over(approval)
    const { settings } = this.#context
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(settings.Signing.BudgetSeconds * SECOND)])
    try {
      const signatures = await signaturesOf(approval.approver!, approval.id, toSign, inTime)
      await this.#record(signedEvent(approval))
      this.#end(approval, 'sign')
      return signatures
    } catch (error) {
      if (!(error instanceof NotSigned)) throw this.#failed(approval, 'NOT_SIGNED', error)
      this.#context.logger.warn({ approval: approval.id, reason: error.message }, 'approved signature was not made')
      this.#failed(approval, error.problem, error)
      throw over(approval, error)
    }
  }

  cancel(approval: Approval): void {
    this.#end(approval, 'cancel')
  }

  /** Ends what has expired, and forgets what has ended. */
  sweep(now: Date): void {
    for (const approval of this.#approvals.values()) {
      this.#expire(approval, now)
      if (approval.endedAt && plus(approval.endedAt, REMEMBERED) <= now) this.#approvals.delete(approval.id)
    }
    this.#screens.sweep(now)
    this.#wrongCodes.sweep(now)
  }

  /** Takes every question back. */
  close(): void {
    for (const approval of this.#approvals.values()) this.#end(approval, 'cancel')
  }

  #open(): readonly Approval[] {
    return [...this.#approvals.values()].filter(({ state }) => isOpenState(state))
  }

  #newCode(): string {
    const used = new Set(this.#open().map(({ code }) => code))
    let code = newPairingCode()
    while (used.has(code)) code = newPairingCode()
    return code
  }

  /** Somebody typed a code at an agent. */
  #pair(agent: AgentConnection, { id: to, code }: PairMessage): void {
    const now = this.#context.clock()
    const found = this.#withCode(agent, readPairingCode(code), now)
    agent.send({ type: 'paired', to, result: typeof found === 'string' ? found : 'found' })
    if (typeof found === 'string') return
    found.isPaired = true
    // Whoever was asked by CPF is not needed any more.
    found.takeBack()
    void this.#ask(agent, found, now).then((answer) => this.#heard(found, answer))
  }

  #withCode(
    { workstationId }: AgentConnection,
    code: string | undefined,
    now: Date,
  ): Approval | 'not-found' | 'too-many' {
    if (this.#wrongCodes.isLocked(workstationId, now)) return 'too-many'
    const approval = this.#open().find((each) => each.code === code && isFree(each, now))
    if (!approval) this.#wrongCodes.note(workstationId, now)
    return approval ?? 'not-found'
  }

  /** Asks at every workstation with a certificate of the CPF; the first answer counts. */
  async #askHolder(approval: Approval, cpf: string, now: Date): Promise<void> {
    try {
      const agents = await this.#agentsOf(cpf, now)
      if (agents.length === 0 || approval.state !== 'WAITING' || approval.isPaired) return
      if (!this.#screens.mayAsk(cpf, now)) return
      this.#screens.ask(cpf, now)
      await Promise.all(agents.map((agent) => this.#askUnpaired(approval, agent, cpf, now)))
    } catch (error) {
      this.#context.logger.error({ err: error, approval: approval.id }, 'workstations could not be asked')
    }
  }

  #ask(agent: AgentConnection, approval: Approval, now: Date): Promise<ApprovalAnswer> {
    return askForApproval(agent, approval, { now, house: this.#context.settings.Workstations.House })
  }

  /** Where nobody answers, the code is still there. */
  async #askUnpaired(approval: Approval, agent: AgentConnection, cpf: string, now: Date): Promise<void> {
    const answer = await this.#ask(agent, approval, now)
    if (answer.kind === 'declined') this.#screens.refuse(cpf, this.#context.clock())
    if (answer.kind === 'approved' || answer.kind === 'declined') this.#heard(approval, answer)
  }

  async #agentsOf(cpf: string, now: Date): Promise<readonly AgentConnection[]> {
    const { certificates, workstations } = this.#parts
    const rows = await certificatesOfCpf(this.#context.store.db, cpf)
    const ids = rows
      .filter((row) => row.workstation_id !== null && certificates.statusOf(row, now) === 'ACTIVE')
      .map(({ workstation_id }) => workstation_id!)
    return [...new Set(ids)].flatMap((id) => workstations.connectionOf(id) ?? [])
  }

  #heard(approval: Approval, answer: ApprovalAnswer): void {
    if (answer.kind === 'approved') this.#approve(approval, answer.approver)
    else if (answer.kind === 'declined') this.#decline(approval)
    else if (answer.kind === 'timed-out') this.#end(approval, 'expire')
    else this.#failed(approval, answer.problem)
  }

  #decline(approval: Approval): void {
    if (!this.#end(approval, 'decline')) return
    this.#record(declinedEvent(approval)).catch((error: unknown) =>
      this.#context.logger.error({ err: error }, 'a refusal could not be recorded'),
    )
  }

  #approve(approval: Approval, approver: Approver): void {
    const { clock, settings } = this.#context
    if (!approval.move('approve')) {
      tellOver(approver.agent, approval)
      return
    }
    approval.approver = approver
    approval.expiresAt = plus(clock(), settings.Approvals.ReadySeconds * SECOND)
    approval.takeBack()
    const { ended } = approver.agent
    const lost = () => void this.#failed(approval, 'AGENT_GONE')
    ended.addEventListener('abort', lost, { once: true, signal: approval.over })
  }

  #expire(approval: Approval, now: Date): void {
    if (approval.expiresAt <= now) this.#end(approval, 'expire')
  }

  /** Returns the error, for those who throw it on. */
  #failed(approval: Approval, problem: ApprovalProblem, error?: unknown): unknown {
    if (this.#end(approval, 'fail')) approval.problem = problem
    return error
  }

  /** Ends one where the table of moves has it; nothing is asked or signed for it any more. */
  #end(approval: Approval, move: ApprovalMove): boolean {
    if (!approval.move(move)) return false
    approval.end(this.#context.clock())
    if (approval.approver) tellOver(approval.approver.agent, approval)
    return true
  }

  async #record(event: NewEvent): Promise<void> {
    const { store, events } = this.#context
    await store.transaction((tx) => events.record(tx, event))
  }
}

const tellOver = (agent: AgentConnection, { id }: Approval): void => agent.send({ type: 'approval-over', approval: id })

const isFree = ({ state, isPaired, expiresAt }: Approval, now: Date): boolean =>
  state === 'WAITING' && !isPaired && expiresAt > now

const over = ({ state, problem }: Approval, cause?: unknown) =>
  refuse('APPROVAL_OVER', { state, ...(problem && { problem }) }, cause)

function requireWhole({ kind, documents, cpf }: ApprovalRequest): void {
  if (kind === 'sign' && documents.length === 0) throw invalidField('documents', 'names at least one document')
  if (kind === 'test' && documents.length > 0) throw invalidField('documents', 'is for signatures, not for tests')
  if (cpf !== undefined && !isCpf(cpf)) throw invalidField('cpf', 'must be a real CPF')
}

/** What comes must be what the holder read: as many hashes as documents, or the nonce of a test. */
function requireAsApproved({ kind, documents }: ApprovalRequest, { digests, nonce }: ToSign): void {
  if (kind === 'sign' && nonce) throw invalidField('nonce', 'is for tests')
  if (kind === 'test' && !nonce) throw invalidField('nonce', 'is required in a test')
  if (digests.length !== documents.length) throw invalidField('hashes', 'must be as many as documents were approved')
}

function whatFor({ request: { kind, documents } }: Approval) {
  if (kind === 'test') return said('a-test')
  return documents.length === 1 ? said('one-document') : said('some-documents', { count: documents.length })
}

const signedEvent = (approval: Approval): NewEvent =>
  act('ApprovalSigned', approval.request.application, ['approval', approval.id], {
    holder: holderOf(approval.approver!.certificate).name,
    what: whatFor(approval),
    site: approval.request.site,
  })

const declinedEvent = (approval: Approval): NewEvent =>
  act('ApprovalDeclined', approval.request.application, ['approval', approval.id], {
    what: whatFor(approval),
    site: approval.request.site,
  })

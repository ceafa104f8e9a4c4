// What is said to an agent about an approval, and what its answer means.
import { SECOND } from '@chancela/service-kernel/clock'
import { EngineError } from '@chancela/signature-engine'
import { Certificate } from '@chancela/signature-engine/x509'
import type { AgentMessage } from '../../channel/index.ts'
import type { ApprovalProblem } from '../../contract/approvals.ts'
import type { AgentConnection } from '../workstations/agent-connection.ts'
import type { Approval, Approver } from './approval.ts'

export type ApprovalAnswer =
  | { readonly kind: 'approved'; readonly approver: Approver }
  | { readonly kind: 'declined' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'failed'; readonly problem: ApprovalProblem }

/** Asks the holder at one agent; the question is withdrawn when the approval is no longer asked for. */
export async function askForApproval(
  agent: AgentConnection,
  approval: Approval,
  { now, house }: { readonly now: Date; readonly house: string | undefined },
): Promise<ApprovalAnswer> {
  const { kind, site, requester, application, documents, cpf } = approval.request
  const question = {
    type: 'approve',
    approval: approval.id,
    kind,
    code: approval.code,
    site,
    application,
    ...(requester !== undefined && { requester }),
    ...(cpf !== undefined && { cpf }),
    documents,
    ...(house !== undefined && { house }),
    seconds: Math.max(1, Math.ceil((approval.expiresAt.getTime() - now.getTime()) / SECOND)),
  } as const
  const takeBack = (prompt: string) => agent.send({ type: 'take-back', prompt })
  const answer = await agent.ask(question, approval.asking, takeBack).catch(() => undefined)
  return answer?.type === 'approved' ? understood(agent, answer) : { kind: 'failed', problem: 'AGENT_GONE' }
}

const missing = {
  source: 'NO_SOURCE',
  driver: 'NO_DRIVER',
  token: 'NO_TOKEN',
  certificate: 'NO_CERTIFICATE',
} as const

function understood(agent: AgentConnection, answer: Extract<AgentMessage, { type: 'approved' }>): ApprovalAnswer {
  switch (answer.result) {
    case 'approved':
      return approvedBy(agent, answer.der, answer.chain)
    case 'missing':
      return { kind: 'failed', problem: missing[answer.missing] }
    case 'not-shown':
      return { kind: 'failed', problem: 'NO_SCREEN' }
    default:
      return { kind: answer.result }
  }
}

function approvedBy(agent: AgentConnection, der: string, chain: readonly string[]): ApprovalAnswer {
  try {
    return { kind: 'approved', approver: { agent, certificate: read(der), chain: chain.map(read) } }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { kind: 'failed', problem: 'NO_CERTIFICATE' }
  }
}

const read = (base64: string): Certificate => Certificate.read(Buffer.from(base64, 'base64'))

import { FrameworkProblem, Refusal } from '@chancela/service-kernel/errors'
import type { ErrorCode } from '../../contract/errors.ts'
import { refuse } from '../../rules/refuse.ts'
import { SignerProblem } from '../../upstream/signature-service/signer-problem.ts'
import { type SignProblemKind, WorkstationSignProblem } from '../workstations/workstations.ts'
import { type Budget, ClientGone } from './budget.ts'
import type { Failure } from './signature-log.ts'

/** The client's error when its document did not reach the signature service. */
export function refusalOf(error: unknown, budget: Budget): unknown {
  if (budget.isSpent) return refuse('SIGN_TIMEOUT', undefined, error)
  // Nobody receives this answer.
  if (error instanceof ClientGone) return new FrameworkProblem('malformed-request', { cause: error })
  if (error instanceof WorkstationSignProblem) return refuse(workstationCodes[error.kind], undefined, error)
  if (!(error instanceof SignerProblem)) return error
  return error.kind === 'rejected'
    ? refuse('SIGNER_REJECTED', { code: error.code, message: error.message }, error)
    : refuse('SIGNER_ERROR', undefined, error)
}

/** Why a workstation did not sign, in the words of the contract. */
const workstationCodes: Readonly<Record<SignProblemKind, ErrorCode>> = {
  offline: 'WORKSTATION_OFFLINE',
  'no-pin': 'SESSION_EXPIRED',
  'certificate-absent': 'CERT_NOT_FOUND',
  'token-absent': 'CERT_NOT_FOUND',
  failed: 'INTERNAL_ERROR',
}

/** The same for the log of signatures. */
export function failureOf(error: unknown, budget: Budget): Failure {
  if (budget.isSpent) return { code: 'SIGN_TIMEOUT', detail: 'The time of the request was over.' }
  if (error instanceof SignerProblem) return { code: codeOf(error), detail: accountOf(error) }
  if (error instanceof WorkstationSignProblem) return { code: workstationCodes[error.kind], detail: error.message }
  if (error instanceof Refusal) return { code: error.code, detail: error.message }
  if (error instanceof ClientGone) return { code: 'CLIENT_GONE', detail: error.message }
  return { code: 'INTERNAL_ERROR', detail: error instanceof Error ? error.message : String(error) }
}

const codeOf = ({ kind }: SignerProblem): ErrorCode => (kind === 'rejected' ? 'SIGNER_REJECTED' : 'SIGNER_ERROR')

const accountOf = ({ code, message }: SignerProblem): string => (code === undefined ? message : `${code}: ${message}`)

import { isDigestSignedBy } from '@chancela/signature-engine/keys'
import { testDigest } from '../../channel/index.ts'
import type { ApprovalProblem } from '../../contract/approvals.ts'
import type { Approver } from './approval.ts'

export type DigestAlgorithm = 'SHA-256' | 'SHA-384' | 'SHA-512'

const digestNames = { 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' } as const

/** Bytes of each digest. */
export const digestBytes: Readonly<Record<DigestAlgorithm, number>> = { 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 }

/** What is signed: a digest for each document, or the nonce of a test. */
export interface ToSign {
  readonly digests: readonly { readonly digest: Buffer; readonly digestAlgorithm: DigestAlgorithm }[]
  readonly nonce?: Buffer
}

/** Why an approved signature was not made. */
export class NotSigned extends Error {
  override readonly name = 'NotSigned'
  readonly problem: ApprovalProblem

  constructor(problem: ApprovalProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

/** Has the agent sign, and verifies every signature: an agent may answer anything. */
export async function signaturesOf(
  { agent, certificate }: Approver,
  approval: string,
  { digests, nonce }: ToSign,
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  const request = {
    type: 'sign-approved',
    approval,
    digests: digests.map(({ digest, digestAlgorithm }) => ({ digest: digest.toString('base64'), digestAlgorithm })),
    ...(nonce && { nonce: nonce.toString('base64') }),
  } as const
  const answer = await agent.ask(request, signal).catch((error: unknown) => {
    throw new NotSigned(signal.aborted ? 'NOT_SIGNED' : 'AGENT_GONE', String(error))
  })
  if (answer.type === 'not-signed')
    throw new NotSigned(answer.problem === 'token-absent' ? 'TOKEN_GONE' : 'NOT_SIGNED', answer.message)
  if (answer.type !== 'all-signed') throw new NotSigned('NOT_SIGNED', 'the agent did not understand')
  const signatures = answer.signatures.map((text) => Buffer.from(text, 'base64'))
  const expected = nonce ? [{ digest: testDigest(nonce), digestAlgorithm: 'SHA-256' as const }] : digests
  const isSigned = ({ digest, digestAlgorithm }: (typeof expected)[number], at: number) =>
    signatures[at] !== undefined && isDigestSignedBy(certificate, digestNames[digestAlgorithm], digest, signatures[at])
  if (signatures.length === expected.length && expected.every(isSigned)) return signatures
  throw new NotSigned('NOT_SIGNED', 'what was answered is no signature of the certificate')
}

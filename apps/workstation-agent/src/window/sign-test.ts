// A signature that nobody asked for: it shows the holder that token, PIN and module work.
import { randomBytes, randomUUID } from 'node:crypto'
import { testDigest } from '@chancela/session-server/channel'
import { isDigestSignedBy } from '@chancela/signature-engine/keys'
import type { ApprovalChoice, ApprovalQuestion } from '../approvals/approval-prompt.ts'
import type { ApprovedKeys } from '../approvals/approved-keys.ts'
import type { Refused } from '../sources/source.ts'

export type TestOutcome =
  /** The signature is that of the certificate. */
  { readonly kind: 'signed'; readonly keepsPin: boolean } | { readonly kind: 'not-of-certificate' } | Refused

/** Signs random bytes with the holder's PIN, which no session can use meanwhile, and which is dropped then. */
export async function signTest(
  approved: ApprovedKeys,
  choice: ApprovalChoice,
  pin: string,
  finalTry: boolean,
): Promise<TestOutcome> {
  const { source, certificate } = choice
  const hadPin = source.hasPin
  const refused = await source.unlock(pin, { finalTry })
  if (refused) return refused
  const approval = randomUUID()
  approved.add(testQuestion(approval), choice, hadPin)
  const nonce = randomBytes(32)
  const message = {
    type: 'sign-approved',
    id: approval,
    approval,
    digests: [],
    nonce: nonce.toString('base64'),
  } as const
  const answer = await approved.sign(message)
  if (answer.type !== 'all-signed')
    return { kind: 'failed', reason: answer.type === 'not-signed' ? answer.message : answer.type }
  const signature = Buffer.from(answer.signatures[0]!, 'base64')
  return isDigestSignedBy(certificate, 'sha256', testDigest(nonce), signature)
    ? { kind: 'signed', keepsPin: source.hasPin }
    : { kind: 'not-of-certificate' }
}

const testQuestion = (approval: string): ApprovalQuestion => ({
  id: approval,
  approval,
  kind: 'test',
  code: '',
  site: 'a test at this computer',
  application: '',
  documents: [],
  seconds: 1,
})

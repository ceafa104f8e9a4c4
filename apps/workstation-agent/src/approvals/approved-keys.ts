// What holders approved: each approval is for so many signatures with one certificate, and nothing else signs with a PIN
// that was typed for it.
import { MINUTE } from '@chancela/service-kernel/clock'
import { type AgentMessage, type ServerMessage, testDigest } from '@chancela/session-server/channel'
import { SignProblem, type Source } from '../sources/source.ts'
import type { ApprovalChoice, ApprovalQuestion } from './approval-prompt.ts'

/** Longer than the server waits for the hashes. */
const LIFE = 15 * MINUTE

type SignMessage = Extract<ServerMessage, { readonly type: 'sign-approved' }>

interface Approved {
  readonly question: ApprovalQuestion
  readonly choice: ApprovalChoice
  readonly timer: NodeJS.Timeout
  /** Whether the PIN is here for the approval alone. */
  ownsPin: boolean
  isUsed: boolean
}

export class ApprovedKeys {
  readonly #log: (sentence: string) => void
  readonly #approved = new Map<string, Approved>()

  constructor(log: (sentence: string) => void) {
    this.#log = log
  }

  /** Approvals that may still sign. */
  get size(): number {
    return this.#approved.size
  }

  /** Takes a key into use for one approval. */
  add(question: ApprovalQuestion, choice: ApprovalChoice, hadPin: boolean): void {
    const ownsPin = !hadPin || this.isReserved(choice.source)
    const timer = setTimeout(() => void this.end(question.approval), LIFE).unref()
    this.#approved.set(question.approval, { question, choice, timer, ownsPin, isUsed: false })
  }

  /** Whether the PIN of a source was typed for approvals alone: sessions must not sign with it. */
  isReserved(source: Source): boolean {
    return this.#of(source).some(({ ownsPin }) => ownsPin)
  }

  /** The holder also typed the PIN for a session: it stays when the approval ends. */
  share(source: Source): void {
    for (const approved of this.#of(source)) approved.ownsPin = false
  }

  async sign(message: SignMessage): Promise<AgentMessage> {
    const { id: to, approval } = message
    try {
      const approved = this.#take(message)
      const signatures = await signaturesOf(approved, message)
      this.#log(`Signed with ${approved.choice.source.name} for ${approved.question.site}.`)
      return { type: 'all-signed', to, signatures: signatures.map((each) => Buffer.from(each).toString('base64')) }
    } catch (error) {
      const { kind, message: reason } = error instanceof SignProblem ? error : new SignProblem('failed', String(error))
      this.#log(`Nothing was signed: ${reason}.`)
      return { type: 'not-signed', to, problem: kind, message: reason.slice(0, 500) }
    } finally {
      await this.end(approval)
    }
  }

  /** Ends an approval; its PIN is dropped unless something else uses it. */
  async end(approval: string): Promise<void> {
    const approved = this.#approved.get(approval)
    if (!approved) return
    clearTimeout(approved.timer)
    this.#approved.delete(approval)
    const { source } = approved.choice
    // Another approval of the same token needs it still.
    if (approved.ownsPin && this.#of(source).length === 0) {
      await source.lock()
      this.#log(`The PIN of ${source.name} is forgotten.`)
    }
  }

  async endAll(): Promise<void> {
    for (const approval of [...this.#approved.keys()]) await this.end(approval)
  }

  #of(source: Source): readonly Approved[] {
    return [...this.#approved.values()].filter(({ choice }) => choice.source === source)
  }

  /** The approval, once, and only for what the holder read. */
  #take({ approval, digests, nonce }: SignMessage): Approved {
    const approved = this.#approved.get(approval)
    if (!approved || approved.isUsed) throw new SignProblem('no-pin', 'nobody approved it here')
    const { kind, documents } = approved.question
    const isAsRead = kind === 'test' ? nonce !== undefined && digests.length === 0 : digests.length === documents.length
    if (!isAsRead || (kind === 'sign' && nonce !== undefined))
      throw new SignProblem('failed', 'this is not what was approved')
    approved.isUsed = true
    return approved
  }
}

async function signaturesOf({ choice }: Approved, { digests, nonce }: SignMessage): Promise<readonly Uint8Array[]> {
  const { source, certificate } = choice
  const wanted =
    nonce === undefined
      ? digests.map(({ digest, digestAlgorithm }) => ({ digestAlgorithm, digest: Buffer.from(digest, 'base64') }))
      : [{ digestAlgorithm: 'SHA-256' as const, digest: testDigest(Buffer.from(nonce, 'base64')) }]
  const signatures: Uint8Array[] = []
  for (const { digest, digestAlgorithm } of wanted)
    signatures.push(await source.sign(certificate.fingerprint, digestAlgorithm, digest))
  return signatures
}

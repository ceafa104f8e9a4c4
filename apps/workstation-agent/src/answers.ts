import type { AgentMessage, ServerMessage } from '@chancela/session-server/channel'
import type { ApprovedKeys } from './approvals/approved-keys.ts'
import type { HolderPrompt } from './prompt/ask-holder.ts'
import type { KeySources } from './sources/key-sources.ts'
import { SignProblem, type Source } from './sources/source.ts'

type Asked<Kind extends ServerMessage['type']> = Extract<ServerMessage, { readonly type: Kind }>

/** What the agent answers from. */
export interface AnswerContext {
  readonly sources: KeySources
  readonly holder: HolderPrompt
  readonly approved: ApprovedKeys
  readonly log: (sentence: string) => void
}

/** Whether sessions may use a source: not with a PIN that was typed for an approval. */
const isUnlocked = ({ approved }: AnswerContext, source: Source): boolean =>
  source.hasPin && !approved.isReserved(source)

/** Compares an offered PIN with those in use, without presenting it to a token. */
export function answerOffer(context: AnswerContext, { id: to, fingerprints, pin }: Asked<'offer'>): AgentMessage {
  const unlocked = context.sources.holding(fingerprints).filter((source) => isUnlocked(context, source))
  const same = unlocked.find((source) => source.isPinInUse(pin))
  if (!same) return { type: 'offered', to, result: unlocked.length > 0 ? 'differs' : 'no-pin' }
  const held = same.certificates.map(({ certificate }) => certificate.fingerprint)
  const fingerprint = fingerprints.find((wanted) => held.includes(wanted))!
  return { type: 'offered', to, result: 'confirmed', fingerprint }
}

/** Whether a session may sign: told before a document leaves the server, and when this agent has come back. */
export async function answerPinCheck(
  context: AnswerContext,
  { id: to, fingerprint }: Asked<'check-pin'>,
): Promise<AgentMessage> {
  const source = context.sources.holding([fingerprint]).find((each) => isUnlocked(context, each))
  const isInUse = source !== undefined && (await source.isPresent())
  return { type: 'pin-checked', to, result: isInUse ? 'in-use' : 'no-pin' }
}

export async function answerPrompt(context: AnswerContext, question: Asked<'prompt'>): Promise<AgentMessage> {
  const { holder, sources, approved } = context
  const result = await holder.ask(question)
  if (result.result === 'confirmed') for (const source of sources.holding([result.fingerprint])) approved.share(source)
  return { type: 'prompted', to: question.id, ...result }
}

export async function answerSign(
  context: AnswerContext,
  { id: to, fingerprint, digest, digestAlgorithm }: Asked<'sign'>,
): Promise<AgentMessage> {
  const { sources, log } = context
  const holding = sources.holding([fingerprint])
  const source = holding.find((each) => isUnlocked(context, each))
  try {
    if (holding.length === 0) throw new SignProblem('certificate-absent', 'the certificate is not here')
    if (!source) throw new SignProblem('no-pin', 'no PIN is in use')
    const signature = await source.sign(fingerprint, digestAlgorithm, Buffer.from(digest, 'base64'))
    log(`Signed with ${source.name}.`)
    return { type: 'signed', to, signature: Buffer.from(signature).toString('base64') }
  } catch (error) {
    const { kind, message } = error instanceof SignProblem ? error : new SignProblem('failed', String(error))
    log(`Nothing was signed: ${message}.`)
    return { type: 'not-signed', to, problem: kind, message: message.slice(0, 500) }
  }
}

/** Drops the PIN in use for these certificates, even if other certificates share it. */
export async function forgetPins({ sources, log }: AnswerContext, fingerprints: readonly string[]): Promise<void> {
  for (const source of sources.holding(fingerprints)) {
    if (source.hasPin) log(`The PIN of ${source.name} is forgotten.`)
    await source.lock()
  }
}

import type { AgentMessage, ServerMessage } from '@chancela/session-server/channel'
import type { HolderPrompt } from './prompt/ask-holder.ts'
import type { KeySources } from './sources/key-sources.ts'
import { SignProblem } from './sources/source.ts'

type Asked<Kind extends ServerMessage['type']> = Extract<ServerMessage, { readonly type: Kind }>

/** What the agent answers from. */
export interface AnswerContext {
  readonly sources: KeySources
  readonly holder: HolderPrompt
  readonly log: (sentence: string) => void
}

/** Compares an offered PIN with those in use, without presenting it to a token. */
export function answerOffer({ sources }: AnswerContext, { id: to, fingerprints, pin }: Asked<'offer'>): AgentMessage {
  const unlocked = sources.holding(fingerprints).filter(({ hasPin }) => hasPin)
  const same = unlocked.find((source) => source.isPinInUse(pin))
  if (!same) return { type: 'offered', to, result: unlocked.length > 0 ? 'differs' : 'no-pin' }
  const held = same.certificates.map(({ certificate }) => certificate.fingerprint)
  const fingerprint = fingerprints.find((wanted) => held.includes(wanted))!
  return { type: 'offered', to, result: 'confirmed', fingerprint }
}

export async function answerPrompt({ holder }: AnswerContext, question: Asked<'prompt'>): Promise<AgentMessage> {
  return { type: 'prompted', to: question.id, ...(await holder.ask(question)) }
}

export async function answerSign(
  { sources, log }: AnswerContext,
  { id: to, fingerprint, digest, digestAlgorithm }: Asked<'sign'>,
): Promise<AgentMessage> {
  const [source] = sources.holding([fingerprint]).toSorted((a, b) => Number(b.hasPin) - Number(a.hasPin))
  try {
    if (!source) throw new SignProblem('certificate-absent', 'the certificate is not here')
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

// A person before the camera, as the page sees one: frames go to the service by the token of the session.
import type { BioPage } from '../../src/contract/bio-page.ts'
import type { CoreWorld } from './core-world.ts'
import type { Actor } from './faces/actor.ts'
import { jpegOf, poses } from './faces/people.ts'

/** What the page is answered, or refused. */
type PageAnswer = BioPage & {
  readonly code?: string
  readonly details?: { readonly expected?: string }
}

/** The frames that somebody, or something, shows when asked. */
export type Shows = (instruction: string) => Uint8Array

/** Who does as asked. */
export function obeying(actor: Actor): Shows {
  const made = new Map<string, Uint8Array>()
  return (instruction) => {
    const known = made.get(instruction) ?? jpegOf(actor.frame(poses[instruction]!))
    made.set(instruction, known)
    return known
  }
}

const tokenIn = (sessionUrl: string): string => new URL(sessionUrl).searchParams.get('token')!

/** The page of a session, without a browser. */
export function pageAt(world: Pick<CoreWorld, 'baseUrl'>, sessionUrl: string) {
  const token = tokenIn(sessionUrl)
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${world.baseUrl}/api/bio/page${path}`, {
      method,
      headers: { 'X-Bio-Session-Token': token, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as PageAnswer }
  }
  const consent = async () => {
    const { consentVersion } = (await call('GET', '')).body
    return call('POST', '/consent', { consentVersion, agreed: true })
  }
  const frame = (number: number, jpeg: Uint8Array) =>
    call('POST', '/frames', { frame: number, jpeg: Buffer.from(jpeg).toString('base64') })

  /** Shows frames until the session has ended; the last answer of the page. */
  async function perform(shows: Shows, each: () => void = () => undefined) {
    let { body } = await consent()
    const seen = [body]
    while (body.state === 'InProgress') {
      body = (await frame(body.frame, shows(body.instruction!))).body
      seen.push(body)
      each()
    }
    return { last: body, seen }
  }
  return { token, call, consent, frame, perform }
}

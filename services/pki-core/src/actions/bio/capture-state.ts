// What a session keeps of the attempt under way, sealed: points and descriptors of a face.
import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { type Capture, newCapture } from '../../rules/bio/capture.ts'
import { drawChallenges } from '../../rules/bio/challenges.ts'
import { fromBytes, toBytes } from '../../rules/bio/likeness.ts'
import { bioSeal } from '../../store/bio/sealed.ts'
import type { BioSessionRow } from '../../store/bio/tables.ts'

export interface Attempt {
  readonly capture: Capture
  /** Descriptors of the face looking straight ahead, the first of which all others are compared with. */
  readonly straight: readonly Float32Array[]
}

type Owned = Pick<BioSessionRow, 'id' | 'subscription_id'>

/** The challenges are drawn here, by the server, for each attempt anew. */
export const newAttempt = ({ settings }: Pick<Context, 'settings'>, now: Date): Attempt => ({
  capture: newCapture(drawChallenges(settings.Biometrics.Challenges, randomInt), now),
  straight: [],
})

export const sealAttempt = (
  { secrets }: Pick<Context, 'secrets'>,
  row: Owned,
  { capture, straight }: Attempt,
): string =>
  secrets.seal(
    JSON.stringify({ capture, straight: straight.map((one) => toBytes(one).toString('base64')) }),
    bioSeal('bio_session', row, 'capture'),
  )

export function openAttempt({ secrets }: Pick<Context, 'secrets'>, row: BioSessionRow): Attempt | undefined {
  if (row.capture === null) return undefined
  const kept = JSON.parse(secrets.openText(row.capture, bioSeal('bio_session', row, 'capture')))
  return {
    capture: kept.capture,
    straight: kept.straight.map((one: string) => fromBytes(Buffer.from(one, 'base64'))),
  }
}

import type { WalkView } from '@chancela/demo/contract'

export const stepNames = ['sent', 'letter', 'sign', 'verdict'] as const
export type StepName = (typeof stepNames)[number]
type StepState = 'done' | 'now' | 'waiting'

/** What the content of a step is drawn from. */
export interface StepProps {
  readonly walk: WalkView
  readonly state: StepState
}

/** What completes each step; a step also needs all steps before it. */
const isDone: Readonly<Record<StepName, (walk: WalkView) => boolean>> = {
  sent: () => true,
  // A signer who has signed has received the e-mail, even if the inbox dropped it.
  letter: ({ letter, status }) => letter !== undefined || status !== 'Pending',
  sign: ({ status }) => status === 'Concluded',
  verdict: ({ verdict }) => verdict !== undefined,
}

/** The state of each step: the first that is not done is the current one. */
export function stepStates(walk: WalkView): Readonly<Record<StepName, StepState>> {
  const first = stepNames.findIndex((name) => !isDone[name](walk))
  const reached = first === -1 ? stepNames.length : first
  const stateAt = (place: number): StepState => (place < reached ? 'done' : place === reached ? 'now' : 'waiting')
  return Object.fromEntries(stepNames.map((name, place) => [name, stateAt(place)])) as Record<StepName, StepState>
}

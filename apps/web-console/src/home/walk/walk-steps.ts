import type { WalkView } from '@chancela/demo/contract'

export const stepNames = ['sent', 'letter', 'sign', 'verdict'] as const
export type StepName = (typeof stepNames)[number]
type StepState = 'done' | 'now' | 'waiting'

/** What the content of a step is drawn from. */
export interface StepProps {
  readonly walk: WalkView
  readonly state: StepState
}

/** What each step waits for; one that is not reached waits for those before it. */
const isDone: Readonly<Record<StepName, (walk: WalkView) => boolean>> = {
  sent: () => true,
  // Whoever has signed has had the e-mail, even if the inbox forgot it.
  letter: ({ letter, status }) => letter !== undefined || status !== 'Pending',
  sign: ({ status }) => status === 'Concluded',
  verdict: ({ verdict }) => verdict !== undefined,
}

/** How far a walk has come: the first step that is not done is the one to do now. */
export function stepStates(walk: WalkView): Readonly<Record<StepName, StepState>> {
  const first = stepNames.findIndex((name) => !isDone[name](walk))
  const reached = first === -1 ? stepNames.length : first
  const stateAt = (place: number): StepState => (place < reached ? 'done' : place === reached ? 'now' : 'waiting')
  return Object.fromEntries(stepNames.map((name, place) => [name, stateAt(place)])) as Record<StepName, StepState>
}

import { describe, expect, test } from 'vitest'
import { type ActionState, canAct, progressAfter } from './flow-progress.ts'
import type { ActionStatus, ActionType } from './vocabulary.ts'

const person = (id: string, over: { acted?: boolean; refused?: boolean } = {}) => ({
  id,
  acted: false,
  refused: false,
  ...over,
})

const action = (id: string, over: Partial<ActionState> = {}): ActionState => ({
  id,
  type: 'Signer' satisfies ActionType,
  step: 1,
  status: 'Pending' satisfies ActionStatus,
  required: 1,
  goesOn: false,
  participants: [person(`${id}-1`)],
  ...over,
})

const strict = { refusalEndsDocument: true }
const lenient = { refusalEndsDocument: false }

const complete = (participantId: string) => ({ participantId, act: 'complete' }) as const
const refuse = (participantId: string) => ({ participantId, act: 'refuse' }) as const

const told = ({ changed, released, move }: ReturnType<typeof progressAfter>) => ({
  changed: [...changed],
  released,
  move,
})

describe('a flow', () => {
  test('of one action is concluded with it', () => {
    expect(told(progressAfter({ actions: [action('a')] }, complete('a-1'), strict))).toEqual({
      changed: [['a', 'Completed']],
      released: [],
      move: 'concludeFlow',
    })
  })

  test('waits for every action of a step before it releases the next', () => {
    const actions = [action('a'), action('b'), action('c', { step: 2, status: 'Created' })]
    expect(told(progressAfter({ actions }, complete('a-1'), strict))).toEqual({
      changed: [['a', 'Completed']],
      released: [],
      move: undefined,
    })
    const later = [action('a', { status: 'Completed' }), action('b'), action('c', { step: 2, status: 'Created' })]
    expect(told(progressAfter({ actions: later }, complete('b-1'), strict))).toEqual({
      changed: [
        ['b', 'Completed'],
        ['c', 'Pending'],
      ],
      released: ['c'],
      move: undefined,
    })
  })

  test('releases the lowest step that waits, whatever its number', () => {
    const actions = [
      action('a'),
      action('late', { step: 9, status: 'Created' }),
      action('after it', { step: 5, status: 'Created' }),
      action('soon', { step: 4, status: 'Created' }),
      action('soon too', { step: 4, status: 'Created' }),
    ]
    expect(progressAfter({ actions }, complete('a-1'), strict).released).toEqual(['soon', 'soon too'])
  })

  test('completes a rule when enough of its people acted', () => {
    const rule = (acted: number) =>
      action('r', {
        type: 'SignRule',
        required: 2,
        participants: [1, 2, 3].map((n) => person(`r-${n}`, { acted: n <= acted })),
      })
    expect(progressAfter({ actions: [rule(0)] }, complete('r-3'), strict).changed.size).toBe(0)
    expect(told(progressAfter({ actions: [rule(1)] }, complete('r-3'), strict)).move).toBe('concludeFlow')
  })

  test('is refused with the refusal of a participant', () => {
    const actions = [action('a'), action('b')]
    expect(told(progressAfter({ actions }, refuse('a-1'), strict))).toEqual({
      changed: [['a', 'Refused']],
      released: [],
      move: 'refuse',
    })
  })

  test('of a rule that may go on is refused only when too few are left', () => {
    const rule = (refused: number, goesOn = true) =>
      action('r', {
        type: 'ApproverRule',
        required: 2,
        goesOn,
        participants: [1, 2, 3].map((n) => person(`r-${n}`, { refused: n <= refused })),
      })
    expect(told(progressAfter({ actions: [rule(0)] }, refuse('r-3'), strict))).toEqual({
      changed: [],
      released: [],
      move: undefined,
    })
    expect(progressAfter({ actions: [rule(1)] }, refuse('r-3'), strict).move).toBe('refuse')
    expect(progressAfter({ actions: [rule(0, false)] }, refuse('r-3'), strict).move).toBe('refuse')
  })

  test('goes on after a refusal where the instance allows it, and ends by what was completed', () => {
    const two = [action('a'), action('b', { step: 2, status: 'Created' })]
    expect(told(progressAfter({ actions: two }, refuse('a-1'), lenient))).toEqual({
      changed: [
        ['a', 'Refused'],
        ['b', 'Pending'],
      ],
      released: ['b'],
      move: undefined,
    })
    const last = [action('a', { status: 'Refused' }), action('b', { step: 2 })]
    expect(progressAfter({ actions: last }, complete('b-1'), lenient).move).toBe('concludeFlow')
    expect(progressAfter({ actions: last }, refuse('b-1'), lenient).move).toBe('refuse')
  })
})

describe('a participant', () => {
  test('can act once, while the action is pending', () => {
    expect(canAct(action('a'), 'a-1')).toBe(true)
    expect(canAct(action('a'), 'somebody else')).toBe(false)
    expect(canAct(action('a', { status: 'Created' }), 'a-1')).toBe(false)
    expect(canAct(action('a', { participants: [person('a-1', { acted: true })] }), 'a-1')).toBe(false)
    expect(canAct(action('a', { participants: [person('a-1', { refused: true })] }), 'a-1')).toBe(false)
  })
})

import { expect, test } from 'vitest'
import { type MoveTable, pairsOf, startsOf } from './index.ts'

const moves = {
  begin: { from: ['New'], to: 'Open' },
  close: { from: ['New', 'Open'], to: 'Closed' },
  beginAgain: { from: ['Closed'], to: 'New' },
} as const satisfies MoveTable

test('the states a move starts from stand in SQL as a list', () => {
  expect(startsOf(moves, 'close')).toBe("'New', 'Open'")
})

test('of a table only the moves that are named are allowed to a statement', () => {
  expect(pairsOf(moves, ['begin', 'close'])).toBe("('New', 'Open'), ('New', 'Closed'), ('Open', 'Closed')")
})

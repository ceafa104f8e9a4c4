import { expect, it } from 'vitest'
import { ByteBudget } from './byte-budget.ts'

it('lets jobs share the budget and the next one wait its turn, first come first served', async () => {
  const budget = new ByteBudget(100)
  const order: string[] = []
  const giveBack = await budget.take(60)
  const large = budget.take(80).then((back) => {
    order.push('large')
    return back
  })
  const small = budget.take(10).then((back) => {
    order.push('small')
    return back
  })
  expect(budget.hasRoom).toBe(false)
  giveBack()
  giveBack()
  ;(await large)()
  ;(await small)()
  expect(order).toEqual(['large', 'small'])
  expect(budget.hasRoom).toBe(true)
})

it('lets what is larger than the whole budget run alone', async () => {
  const budget = new ByteBudget(100)
  const giveBack = await budget.take(1_000)
  expect(budget.hasRoom).toBe(false)
  giveBack()
  expect(budget.hasRoom).toBe(true)
})

it('refuses at once what would exceed it, and passes nobody who waits', async () => {
  const budget = new ByteBudget(100)
  expect([budget.tryTake(101), budget.tryTake(60), budget.tryTake(41), budget.tryTake(40)]).toEqual([
    false,
    true,
    false,
    true,
  ])
  expect(budget.held).toBe(100)
  const large = budget.take(80)
  budget.give(60)
  expect([budget.tryTake(10), budget.held]).toEqual([false, 40])
  budget.give(40)
  expect([budget.held, budget.tryTake(10)]).toEqual([80, true])
  ;(await large)()
  expect(budget.held).toBe(10)
})

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

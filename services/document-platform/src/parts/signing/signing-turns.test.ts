import { expect, test } from 'vitest'
import { SigningTurns } from './signing-turns.ts'

/** Turns whose reservations end with the test, if nothing else ends them. */
const patient = (isUnmoved = async () => true) =>
  new SigningTurns({ SigningWaitSeconds: 60, SigningReservationSeconds: 60 }, isUnmoved)

/** Signs in turn; says so in the list. */
const signing = (turns: SigningTurns, list: string[], name: string) =>
  turns.run('document', async () => {
    list.push(name)
    return true
  })

test('who begins again and again has one place, and those who came before the last of them go first', async () => {
  const turns = patient()
  const signed: string[] = []
  await turns.reserve('document', 'holder')
  const first = turns.reserve('document', 'impatient')
  const victim = signing(turns, signed, 'victim')
  const again = [1, 2, 3].map(() => turns.reserve('document', 'impatient'))
  // Those that were given up go on at once, without a reservation.
  await Promise.all([first, ...again.slice(0, 2)])
  expect(signed).toEqual([])
  turns.leave('holder')
  await victim
  await again[2]
  turns.leave('impatient')
  await signing(turns, signed, 'last')
  expect(signed).toEqual(['victim', 'last'])
})

test('a reservation ends with what completes it, whether that succeeds or not', async () => {
  const turns = patient()
  const signed: string[] = []
  for (const work of [async () => 'done', () => Promise.reject(new Error('The signature is wrong.'))]) {
    await turns.reserve('document', 'holder')
    const next = signing(turns, signed, 'next')
    await turns.complete('holder', work).catch(() => {})
    await next
  }
  expect(signed).toEqual(['next', 'next'])
})

test('nobody waits for a reservation that another instance completed', async () => {
  const turns = patient(async () => false)
  const signed: string[] = []
  await turns.reserve('document', 'holder')
  turns.signs('holder', { id: 'document', revision: 1 })
  await signing(turns, signed, 'next')
  expect(signed).toEqual(['next'])
})

test('another document does not wait', async () => {
  const turns = patient()
  await turns.reserve('another', 'holder')
  const signed: string[] = []
  await signing(turns, signed, 'at once')
  expect(signed).toEqual(['at once'])
  turns.leave('holder')
})

// Passwords of accounts: guessed at.
import { MINUTE } from '@chancela/service-kernel/clock'
import { describe, expect, test, vi } from 'vitest'
import { later } from './test-support/look-now.ts'
import {
  databases,
  type PlatformWorld,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/platform-world.ts'
import { browserOf, newUser } from './test-support/users.ts'

const refused = { status: 401, body: { code: 'InvalidCredentials' } }
const locked = { status: 429, body: { code: 'TooManyRequests' } }

/** Signs in with so many wrong passwords, one after the other. */
async function guess(world: PlatformWorld, email: string, times: number) {
  const answers = []
  for (let time = 0; time < times; time += 1) answers.push(await browserOf(world).signIn(email, `errada ${time}`))
  return answers
}

for (const database of databases) {
  describe(`the lock of an account on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('five wrong passwords lock an account for a quarter of an hour, the right one included', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      for (const answer of await guess(world, email, 5)) expect(answer).toMatchObject(refused)
      expect(await browserOf(world).signIn(email)).toMatchObject(locked)
      world.clock.advance(15 * MINUTE - 1)
      expect(await browserOf(world).signIn(email)).toMatchObject(locked)
      world.clock.advance(1)
      expect((await browserOf(world).signIn(email)).status).toBe(200)
    })

    test('an address nobody has is locked alike, and nothing else tells them apart', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const [known, unknown] = [await guess(world, email, 6), await guess(world, `x${email}`, 6)]
      expect(known).toEqual(unknown)
      expect(known.at(-1)).toMatchObject(locked)
    })

    test('the right password forgets the wrong ones before it', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      await guess(world, email, 4)
      expect((await browserOf(world).signIn(email)).status).toBe(200)
      await guess(world, email, 4)
      expect((await browserOf(world).signIn(email)).status).toBe(200)
    })

    test('guesses made at once are not more than guesses made in turn', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const answers = await Promise.all(Array.from({ length: 12 }, () => browserOf(world).signIn(email, 'errada')))
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
    })

    test('a restart and another process do not forget', async () => {
      const before = await startPlatform(database)
      const { email } = await newUser(before)
      await guess(before, email, 5)
      await before.stop()
      const after = await startPlatform(database, { after: before })
      expect(await browserOf(after).signIn(email)).toMatchObject(locked)
    })

    test('what is counted names no address, and goes after its time', async () => {
      const world = await startPlatform(database)
      await guess(world, 'ninguem@example.com', 1)
      const rows = () => world.store.db.selectFrom('sign_in_guess').selectAll().execute()
      expect(JSON.stringify(await rows())).not.toContain('ninguem')
      await later(world, 16 * MINUTE)
      await vi.waitUntil(async () => (await rows()).length === 0, { interval: 20 })
    })
  })
}

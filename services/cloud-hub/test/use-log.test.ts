// The audit of uses is written in groups; every use is durable before its call is answered.
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { UseLog } from '../src/parts/signing/use-log.ts'
import { useRow } from '../src/store/uses.ts'
import { databases, sharedHub } from './test-support/hub-world.ts'

describe.each(databases)('uses on %s', (database) => {
  const hub = sharedHub(database)
  const session = { id: 'session', key_id: 'key', provider_id: 'provider' }
  const use = (outcome: string) => useRow({ session, action: 'sign', outcome }, hub().clock())
  const isWritten = async (outcome: string) => {
    const { store } = hub()
    return (await store.db.selectFrom('session_use').select('id').where('outcome', '=', outcome).execute()).length === 1
  }

  test('are there when their calls go on, each in its own time', async () => {
    const log = new UseLog(hub().store)
    const call = async (at: number) => {
      for (let turns = 0; turns < at % 7; turns++) await turn()
      await log.write([use(`call ${at}`)])
      return isWritten(`call ${at}`)
    }
    const calls = Array.from({ length: 50 }, (_, at) => log.during(() => call(at)))
    expect((await Promise.all(calls)).every((written) => written)).toBe(true)
  })

  test('do not wait for a call whose provider is silent', async () => {
    const log = new UseLog(hub().store)
    let answer = () => {}
    const silent = log.during(() => new Promise<void>((resolve) => (answer = resolve)))
    await log.during(() => log.write([use('beside a silent one')]))
    expect(await isWritten('beside a silent one')).toBe(true)
    answer()
    await silent
  })

  test('that cannot be written are told to their calls, and the next are written', async () => {
    const log = new UseLog(hub().store)
    const row = use('twice')
    await log.write([row])
    await expect(Promise.all([log.write([row]), log.during(() => log.write([use('with it')]))])).rejects.toThrow()
    await log.during(() => log.write([use('after it')]))
    expect([await isWritten('with it'), await isWritten('after it')]).toEqual([false, true])
  })
})

import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import { SECOND } from '../clock/index.ts'
import { anonymous, type CheckResult, createReadiness, detailed, storeCheck } from './index.ts'

const fine = async (): Promise<CheckResult> => ({ ok: true })
const broken = async (): Promise<CheckResult> => ({ ok: false, detail: 'disk full' })

function readiness(cacheSeconds = 5) {
  const clock = testClock()
  return Object.assign(createReadiness({ cacheSeconds, clock }), { clock })
}

/** A check that answers on command, and counts its calls. */
function gatedCheck() {
  const waiting: Array<(result: CheckResult) => void> = []
  const check = () => new Promise<CheckResult>((resolve) => waiting.push(resolve))
  return { check, asked: () => waiting.length, answer: (result: CheckResult) => waiting.at(-1)!(result) }
}

describe('readiness', () => {
  test('is given without any check', async () => {
    expect(await readiness().verdict()).toStrictEqual({ ready: true, checks: [] })
  })

  test('names every check in the order they were added, and fails with one that gates', async () => {
    const ready = readiness()
    ready.add('database', fine)
    ready.add('input-folder:default', broken)
    ready.add('storage-share:a/b', fine)
    expect(await ready.verdict()).toStrictEqual({
      ready: false,
      checks: [
        { name: 'database', ok: true },
        { name: 'input-folder:default', ok: false, detail: 'disk full' },
        { name: 'storage-share:a/b', ok: true },
      ],
    })
  })

  test('shows a check that does not gate, and does not count it', async () => {
    const ready = readiness()
    ready.add('database', fine)
    ready.add('signing-profile:main', broken, { gates: false })
    expect(await ready.verdict()).toMatchObject({ ready: true, checks: [{ ok: true }, { ok: false }] })
  })

  test('takes a check that throws, at once or later, as one that failed', async () => {
    const ready = readiness()
    ready.add('later', () => Promise.reject(new Error('connection refused')))
    ready.add('at-once', () => {
      throw new Error('not wired')
    })
    ready.add('without-words', () =>
      Promise.reject(new AggregateError([new Error('::1 refused'), new Error('127.0.0.1 refused')])),
    )
    expect((await ready.verdict()).checks).toStrictEqual([
      { name: 'later', ok: false, detail: 'connection refused' },
      { name: 'at-once', ok: false, detail: 'not wired' },
      { name: 'without-words', ok: false, detail: '::1 refused; 127.0.0.1 refused' },
    ])
  })

  test('does not wait for a check that hangs, and tells it to stop', async () => {
    const ready = readiness()
    let stopped: AbortSignal | undefined
    ready.add('database', fine)
    ready.add(
      'share',
      (signal) => {
        stopped = signal
        return new Promise(() => {})
      },
      { timeoutSeconds: 0.05 },
    )
    expect(await ready.verdict()).toStrictEqual({
      ready: false,
      checks: [
        { name: 'database', ok: true },
        { name: 'share', ok: false, detail: 'no answer in 0.05 s' },
      ],
    })
    expect(stopped!.aborted).toBe(true)
  })

  test('is reused for as long as asked and then found anew', async () => {
    const ready = readiness(5)
    let asked = 0
    ready.add('database', async () => ({ ok: ++asked > 0 }))
    const first = await ready.verdict()
    ready.clock.advance(5 * SECOND - 1)
    expect(await ready.verdict()).toBe(first)
    expect(asked).toBe(1)
    ready.clock.advance(1)
    await ready.verdict()
    expect(asked).toBe(2)
  })

  test('is found anew every time when nothing is to be reused', async () => {
    const ready = readiness(0)
    let asked = 0
    ready.add('database', async () => ({ ok: ++asked > 0 }))
    await ready.verdict()
    await ready.verdict()
    expect(asked).toBe(2)
  })

  test('is found once for all who ask at the same time', async () => {
    const ready = readiness(0)
    const { check, asked, answer } = gatedCheck()
    ready.add('database', check)
    const verdicts = [ready.verdict(), ready.verdict(), ready.verdict()]
    answer({ ok: true })
    expect(new Set(await Promise.all(verdicts)).size).toBe(1)
    expect(asked()).toBe(1)
  })

  test('does not come from before a check was added or removed, even one that was being asked', async () => {
    const ready = readiness(60)
    const { check, answer } = gatedCheck()
    ready.add('slow', check)
    const early = ready.verdict()
    ready.add('folder', broken)
    answer({ ok: true })
    expect((await early).checks).toHaveLength(1)
    ready.remove('slow')
    expect(await ready.verdict()).toMatchObject({ ready: false, checks: [{ name: 'folder' }] })
    ready.remove('folder')
    expect(await ready.verdict()).toStrictEqual({ ready: true, checks: [] })
  })

  test('keeps the place of a check that is replaced', async () => {
    const ready = readiness()
    ready.add('a', broken)
    ready.add('b', fine)
    ready.add('a', fine)
    expect((await ready.verdict()).checks).toStrictEqual([
      { name: 'a', ok: true },
      { name: 'b', ok: true },
    ])
  })
})

describe('the views of a verdict', () => {
  const verdict = {
    ready: false,
    checks: [
      { name: 'a', ok: false, detail: 'disk full' },
      { name: 'b', ok: true },
    ],
  }

  test('show details to operators, and not even the field to anybody else', () => {
    expect(detailed(verdict)).toStrictEqual(verdict)
    expect(anonymous(verdict)).toStrictEqual({
      ready: false,
      checks: [
        { name: 'a', ok: false },
        { name: 'b', ok: true },
      ],
    })
    expect(JSON.stringify(anonymous(verdict))).not.toContain('detail')
  })
})

for (const [name, open] of Object.entries(testStores)) {
  test(`the database check on ${name} passes while the database answers and fails when it does not`, async () => {
    const store = await open()
    const ready = readiness(0)
    ready.add('database', storeCheck(store))
    expect(await ready.verdict()).toStrictEqual({ ready: true, checks: [{ name: 'database', ok: true }] })
    await store.close()
    expect(await ready.verdict()).toMatchObject({
      ready: false,
      checks: [{ name: 'database', ok: false, detail: expect.any(String) }],
    })
  })
}

import { testClock } from '@chancela/testkit/clock'
import { startReceiver } from '@chancela/testkit/receiver'
import { whenDone } from '@chancela/testkit/test-files'
import { describe, expect, test } from 'vitest'
import { DAY, MINUTE, plus, SECOND } from '../clock/index.ts'
import { createMetrics } from '../metrics/index.ts'
import { type CheckResult, createCertificateWatch, createReadiness, lasting, watchAddress } from './index.ts'

const signal = new AbortController().signal

describe('a check of somebody else', () => {
  test('asks once a minute at most, and gives the last result while it asks again', async () => {
    const clock = testClock()
    const answers: ((result: CheckResult) => void)[] = []
    const check = lasting(() => new Promise((resolve) => answers.push(resolve)), { clock })
    const first = check(signal)
    answers[0]!({ ok: true, detail: 'there' })
    expect(await first).toEqual({ ok: true, detail: 'there' })
    clock.advance(MINUTE - 1)
    expect(await check(signal)).toMatchObject({ ok: true })
    expect(answers).toHaveLength(1)
    clock.advance(1)
    expect(await check(signal)).toMatchObject({ ok: true })
    expect(answers).toHaveLength(2)
    answers[1]!({ ok: false, detail: 'gone' })
    await expect.poll(() => check(signal)).toMatchObject({ ok: false, detail: 'gone' })
    expect(answers).toHaveLength(2)
  })

  test('waits for a new result when nobody asked for long', async () => {
    const clock = testClock()
    let result: CheckResult = { ok: true }
    const check = lasting(async () => result, { clock })
    await check(signal)
    result = { ok: false, detail: 'gone' }
    clock.advance(2 * MINUTE)
    expect(await check(signal)).toEqual(result)
  })

  test('asks again soon while it is red, so that what is there again is told', async () => {
    const clock = testClock()
    let result: CheckResult = { ok: false, detail: 'gone' }
    const check = lasting(async () => result, { clock })
    expect(await check(signal)).toEqual(result)
    result = { ok: true }
    clock.advance(9 * SECOND)
    expect(await check(signal)).toMatchObject({ ok: false })
    clock.advance(SECOND)
    await expect.poll(() => check(signal)).toEqual({ ok: true })
  })

  test('is red while it hangs, told to stop, and not begun a second time', async () => {
    const clock = testClock()
    let asked = 0
    let stopped: AbortSignal | undefined
    const check = lasting(
      (given) => {
        asked++
        stopped = given
        return new Promise(() => {})
      },
      { clock, limitMs: 20 },
    )
    expect(await check(signal)).toEqual({ ok: false, detail: 'no answer in 0.02 s' })
    expect(stopped!.aborted).toBe(true)
    clock.advance(DAY)
    expect(await check(signal)).toMatchObject({ ok: false })
    expect(asked).toBe(1)
  })

  test('is red with the reason when it throws', async () => {
    const check = lasting(() => Promise.reject(new Error('refused')), { clock: testClock() })
    expect(await check(signal)).toEqual({ ok: false, detail: 'refused' })
  })
})

describe('a server that a service depends on', () => {
  test('is told and does not gate: red while it fails or does not answer, green for any other answer', async () => {
    let status = 404
    const receiver = await startReceiver((_, response) => void response.writeHead(status).end())
    const clock = testClock()
    const readiness = createReadiness({ cacheSeconds: 0, clock })
    const address = { url: receiver.url.replace('//', '//name:secret@') }
    watchAddress({ clock, readiness, closing: { add: (_, close) => whenDone(close) } }, 'upstream', address)
    const look = async () => {
      clock.advance(2 * MINUTE)
      return readiness.verdict()
    }
    expect(await look()).toMatchObject({ ready: true, checks: [{ name: 'upstream', ok: true }] })
    status = 503
    expect(await look()).toMatchObject({ ready: true, checks: [{ ok: false, detail: 'It answers 503.' }] })
    expect(receiver.received.map(({ method, headers }) => [method, headers.authorization])).toEqual([
      ['HEAD', undefined],
      ['HEAD', undefined],
    ])
    await readiness.verdict()
    expect(receiver.received).toHaveLength(2)
    // Nobody listens on port 1.
    const nobody = { url: 'http://127.0.0.1:1/' }
    watchAddress({ clock, readiness, closing: { add: (_, close) => whenDone(close) } }, 'upstream', nobody)
    expect(await look()).toMatchObject({ ready: true, checks: [{ name: 'upstream', ok: false }] })
  })
})

describe('a certificate that a service uses', () => {
  const now = new Date('2026-05-01T12:00:00Z')
  const dates = { notBefore: plus(now, -DAY), notAfter: plus(now, 30 * DAY) }

  function watched(judged?: () => Promise<CheckResult>) {
    const clock = testClock(now.toISOString())
    const readiness = createReadiness({ cacheSeconds: 0, clock })
    const metrics = createMetrics({ service: 'test', version: '1', prefix: 'bulk_' })
    const watch = createCertificateWatch({ readiness, metrics, clock, warningDays: 21, criticalDays: 3 })
    watch.watch('seal', () => dates, judged && { judged })
    const red = async () => (await readiness.verdict()).checks.filter(({ ok }) => !ok).map(({ name }) => name)
    return { clock, readiness, metrics, watch, red }
  }

  test('warns when it is time to renew it, is told critical near its end, and both after it', async () => {
    const { clock, red, readiness, metrics } = watched()
    expect(await red()).toEqual([])
    expect(await metrics.text()).toContain('bulk_certificate_expires_in_days{certificate="seal"} 30\n')
    clock.advance(10 * DAY)
    expect(await red()).toEqual(['certificate-expiring:seal'])
    clock.advance(18 * DAY)
    expect(await red()).toEqual(['certificate:seal', 'certificate-expiring:seal'])
    clock.advance(3 * DAY)
    expect(await readiness.verdict()).toMatchObject({
      ready: true,
      checks: [{ ok: false, detail: 'It expired on 2026-05-31.' }, { ok: false }],
    })
    expect(await metrics.text()).toContain('bulk_certificate_expires_in_days{certificate="seal"} -1\n')
  })

  test('is red when its authority says so, and no longer known once it is forgotten', async () => {
    const { red, watch, metrics, readiness } = watched(async () => ({ ok: false, detail: 'revoked' }))
    expect(await red()).toEqual(['certificate:seal'])
    watch.forget('seal')
    expect((await readiness.verdict()).checks).toEqual([])
    expect(await metrics.text()).not.toContain('certificate="seal"')
  })
})

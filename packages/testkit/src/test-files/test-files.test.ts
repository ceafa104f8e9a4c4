import { beforeAll, describe, expect, test, vi } from 'vitest'
import { addresses } from '../demo-pki/index.ts'
import { runFileEnd, runFileStart } from './file-hooks.ts'
import { atEveryFileStart, atFileEnd, type PkiOfFiles, pkiOfFiles, pkiOfToday, whenDone } from './index.ts'
import { newErrors, showErrorsOf } from './open-logs.ts'

describe('what a file is told', () => {
  const cleaned: string[] = []

  beforeAll(() => whenDone(() => void cleaned.push('made in a hook')))

  test('when done in a test is when the test ends', () => {
    whenDone(() => void cleaned.push('made in a test'))
    expect(cleaned).toEqual([])
  })

  test('when done in a hook is when the file ends, the last made first and each once', async () => {
    atFileEnd(() => void cleaned.push('made for the file'))
    expect(cleaned).toEqual(['made in a test'])
    await runFileEnd()
    expect(cleaned).toEqual(['made in a test', 'made for the file', 'made in a hook'])
    await runFileEnd()
    expect(cleaned).toHaveLength(3)
  })

  test('at the start of every file is at each of them', async () => {
    let starts = 0
    atEveryFileStart(() => void starts++)
    await runFileStart()
    await runFileStart()
    expect(starts).toBe(2)
  })
})

test('the errors of a log are told once each, until it is closed; nothing else of it is', () => {
  const line = (level: string, msg: string) => `${JSON.stringify({ level, msg })}\n`
  let log = line('info', 'listening') + line('error', 'one')
  const close = showErrorsOf(() => log)
  const told = () => newErrors().map((error) => JSON.parse(error).msg)
  expect([told(), told()]).toEqual([['one'], []])
  log += line('warn', 'late') + line('fatal', 'two')
  expect(told()).toEqual(['two'])
  close()
  log += line('error', 'three')
  expect(told()).toEqual([])
})

test('a condition may take longer than a second: a busy machine is no defect', async () => {
  const begun = performance.now()
  await vi.waitUntil(() => performance.now() - begun > 1_500)
  await vi.waitFor(() => expect(performance.now() - begun).toBeGreaterThan(3_000))
})

describe('the PKI of a process', () => {
  const START = '2026-03-02T12:00:00.000Z'
  let own: PkiOfFiles

  beforeAll(async () => {
    own = await pkiOfFiles(START)
    whenDone(own.stop)
  })

  test('is found by the next file as new: its time, its certificates, its revocations and its faults', async () => {
    const { pki, clock, faults, baseUrl } = own
    const stampsAnswer = async () => (await fetch(addresses(baseUrl).timeStamps, { method: 'POST' })).status
    const ana = pki.certificate('ana-souza')
    const found = async () => [
      clock().toISOString(),
      pki.certificates().length,
      pki.revocationOf(ana),
      (await pki.revocationList(pki.certificate(ana.issuer))).thisUpdate,
      await stampsAnswer(),
    ]
    const asNew = await found()

    clock.advance(60_000)
    await pki.issuePerson({ name: 'Uma de Passagem', cpf: '52998224725' }, { key: 'P-256' })
    pki.revoke(ana)
    faults.set('tsa', { kind: 'http-500' })
    for (const [at, changed] of (await found()).entries()) expect(changed).not.toEqual(asNew[at])

    await runFileStart()
    expect(await found()).toEqual(asNew)
  })

  test('of today is one for all who ask', async () => {
    expect(await pkiOfToday()).toBe(await pkiOfToday())
  })
})

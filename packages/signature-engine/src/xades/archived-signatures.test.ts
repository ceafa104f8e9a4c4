import { atFileEnd } from '@chancela/testkit/test-files'
import { beforeAll, expect, it } from 'vitest'
import { type DemoSigners, startDemoSigners } from '../cms/test-support/demo-signers.ts'
import type { SignatureReport } from '../report/report.ts'
import { extendXades } from './extend-xades.ts'
import { completeXades, prepareXades } from './prepare-xades.ts'
import { signXades } from './sign-xades.ts'
import { order } from './test-support/orders.ts'
import { validateXades } from './validate-xades.ts'

const start = new Date()
let today = start
const inYears = (years: number) => new Date(start.getTime() + years * 365 * 24 * 3_600_000)

let demo: DemoSigners
const helpers = () => ({ timestamps: demo.timestamps, judge: demo.judge, now: today })

/** Level of the signature inside, and how the one over the document archives it. */
const documents = {
  covered: { level: 'AD-RC', parallel: false, withCovered: false },
  'left out': { level: 'AD-RC', parallel: true, withCovered: false },
  'covered with its data': { level: 'AD-RT', parallel: false, withCovered: true },
  'covered without data': { level: 'AD-RT', parallel: false, withCovered: false },
} as const

const place = {
  target: { id: 'item-1' },
  position: { at: 'last-child', of: { id: 'item-1' } },
  parallel: true,
} as const

async function archived({ level, parallel, withCovered }: (typeof documents)[keyof typeof documents]) {
  const inner = await signXades(order(), demo.holder('helena-prado'), { ...helpers(), ...place, level })
  const bruno = demo.holder('bruno-lima')
  const prepared = prepareXades(inner, bruno.certificate, { now: today, level: 'AD-RA', chain: bruno.chain, parallel })
  const closed = completeXades(prepared.state, await bruno.sign(prepared))
  return extendXades(closed, { ...helpers(), level: 'AD-RA', withCovered })
}

/** The signature inside and the one over the document, after six years in which the archive was renewed once. */
const later = new Map<string, readonly SignatureReport[]>()

beforeAll(async () => {
  demo = await startDemoSigners(() => today)
  atFileEnd(demo.stop)
  const files = new Map<string, Buffer>()
  for (const [name, terms] of Object.entries(documents)) files.set(name, await archived(terms))
  today = inYears(3)
  const authority = { issuer: 'level-2', key: 'RSA-2048', usage: 'timeStamping', policy: 'T3' } as const
  await demo.pki.issueService('tsa', { name: 'Carimbo do Tempo', ...authority }, demo.pki.certificate('tsa').key)
  for (const [name, file] of files) files.set(name, await extendXades(file, { ...helpers(), level: 'AD-RA' }))
  today = inYears(6)
  const judge = demo.freshJudge()
  for (const [name, file] of files) later.set(name, (await validateXades(file, { judge, now: today })).signatures)
})

it('an archive proves when the signatures it covers existed: they outlive the authority of their own timestamps', () => {
  const [inner, closing] = later.get('covered')!
  // The root of tests is none that the policy names.
  const findings = [{ code: 'policy-requirement-unmet', severity: 'warning', details: { requirement: 'trust anchor' } }]
  expect(closing).toMatchObject({ indication: 'valid', level: 'AD-RA', findings })
  expect(inner).toMatchObject({ indication: 'valid', level: 'AD-RC', provenTime: { by: 'timestamp' } })
  expect(inner!.provenTime.time.getTime()).toBeLessThan(inYears(0.1).getTime())
})

it('an archive that leaves other signatures out proves nothing about them', () => {
  expect(later.get('left out')!.map(({ indication }) => indication)).toEqual(['indeterminate', 'valid'])
})

it('an archive can hold what validates signatures inside it that have only a timestamp', () => {
  const [inner] = later.get('covered with its data')!
  expect(inner).toMatchObject({ indication: 'valid', level: 'AD-RT' })
})

it('without it they end with their certificates', () => {
  const [inner] = later.get('covered without data')!
  expect(inner?.indication).toBe('indeterminate')
})

it('an archive that is to hold the data of others is not made over a certificate that was revoked before', async () => {
  today = inYears(0)
  const inner = await signXades(order(), demo.holder('revoked'), { ...helpers(), ...place, level: 'AD-RT' })
  const closing = await signXades(inner, demo.holder('bruno-lima'), helpers())
  const archive = extendXades(closing, { ...helpers(), judge: demo.freshJudge(), level: 'B-LTA', withCovered: true })
  await expect(archive).rejects.toMatchObject({ code: 'judgement.not-valid' })
})

import { HOUR } from '@chancela/service-kernel/clock'
import { expect, test } from 'vitest'
import { noticeConditions } from './notice-conditions.ts'

const now = new Date('2026-11-16T12:00:00.000Z')
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR).toISOString()
const nothing = { now, offlineHours: 72, workstations: [], lockouts: [], expiring: [] }
const red = (known: Partial<Parameters<typeof noticeConditions>[0]>) =>
  noticeConditions({ ...nothing, ...known })
    .filter(({ ok }) => !ok)
    .map(({ name, detail }) => [name, detail])

test('a workstation is told of when it was offline for long, and never when it waits or is revoked', () => {
  const workstations = [
    { name: 'consultório 1', state: 'offline', lastSeenAt: ago(72) },
    { name: 'over night', state: 'offline', lastSeenAt: ago(71) },
    { name: 'new', state: 'waiting', lastSeenAt: null },
    { name: 'gone', state: 'revoked', lastSeenAt: ago(1000) },
  ]
  expect(red({ workstations })).toEqual([['agents-offline', 'consultório 1']])
})

test('a CPF is told of while it is locked, masked', () => {
  const lockouts = [
    { cpf: '52998224725', locked: true },
    { cpf: '11144477735', locked: false },
  ]
  expect(red({ lockouts })).toEqual([['cpfs-locked', '***.982.247-**']])
})

test('of many a few are named, and no CPF is whole', () => {
  const expiring = Array.from({ length: 7 }, () => ({ name: 'ANA SOUZA:52998224725', cpf: '52998224725' }))
  const [[name, detail]] = red({ expiring }) as [[string, string]]
  expect(name).toBe('held-certificates-expiring')
  expect(detail).toMatch(/^ANA SOUZA \(\*{3}\.982\.247-\*{2}\), .* \(\+2\)$/)
  expect(detail).not.toContain('52998224725')
})

test('where all is well nothing is red', () => {
  expect(red({})).toEqual([])
})

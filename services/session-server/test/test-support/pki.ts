// One PKI and one time for all tests of a file, and the holders whose certificates they use.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testClock } from '@chancela/testkit/clock'
import { cachedKeys, holders, startDemoPki } from '@chancela/testkit/demo-pki'
import { afterAll } from 'vitest'

export const clock = testClock('2026-11-15T12:00:00.000Z')

export const running = await startDemoPki({ keys: cachedKeys(), clock })

export const folder = mkdtempSync(join(tmpdir(), 'chancela-sessions-pki-'))

/** PEM file with the root of the PKI. */
export const rootsFile = join(folder, 'roots.pem')
writeFileSync(rootsFile, running.pki.trustAnchors())

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await running.stop()
})

/** A holder of the PKI as flows and sessions name one. */
export function holder(label: string) {
  const { holder: declared } = holders[label]!
  if (declared.kind !== 'person') throw new TypeError(`${label} is no person.`)
  return { name: declared.name, cpf: declared.cpf!, email: declared.email ?? null }
}

// One PKI and one clock for the tests, reset for every file, and the holders whose certificates they use.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holders } from '@chancela/testkit/demo-pki'
import { pkiOfFiles } from '@chancela/testkit/test-files'

export const running = await pkiOfFiles('2026-11-15T12:00:00.000Z')
export const { clock } = running

export const folder = mkdtempSync(join(tmpdir(), 'chancela-sessions-pki-'))

/** PEM file with the root of the PKI. */
export const rootsFile = join(folder, 'roots.pem')
writeFileSync(rootsFile, running.pki.trustAnchors())
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** A holder of the PKI in the form flows and sessions use. */
export function holder(label: string) {
  const { holder: declared } = holders[label]!
  if (declared.kind !== 'person') throw new TypeError(`${label} is no person.`)
  return { name: declared.name, cpf: declared.cpf!, email: declared.email ?? null }
}

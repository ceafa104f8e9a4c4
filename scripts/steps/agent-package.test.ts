import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { formatOf, here, packageAgent, platforms } from './agent-package.mjs'
import { root } from './run-command.mjs'
import { Hindrance } from './say.mjs'

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-package-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The first bytes of a program, as far as they say for which machine it is. */
const heads: Readonly<Record<string, (machine: number) => Buffer>> = {
  ELF: (machine) => written(Buffer.from('7f454c46', 'hex'), (bytes) => bytes.writeUInt16LE(machine, 18)),
  'Mach-O': (machine) => written(Buffer.from('cffaedfe', 'hex'), (bytes) => bytes.writeUInt32LE(machine, 4)),
  PE: (machine) =>
    written(Buffer.from('MZ'), (bytes) => {
      bytes.writeUInt32LE(64, 0x3c)
      bytes.write('PE\0\0', 64, 'latin1')
      bytes.writeUInt16LE(machine, 68)
    }),
}

function written(magic: Buffer, more: (bytes: Buffer) => unknown): Buffer {
  const bytes = Buffer.alloc(128)
  magic.copy(bytes)
  more(bytes)
  return bytes
}

test('a program is recognized by its format and processor, and anything else is none', () => {
  for (const wanted of Object.values(platforms)) expect(formatOf(heads[wanted.format]!(wanted.machine))).toEqual(wanted)
  for (const other of [Buffer.alloc(0), Buffer.alloc(128), Buffer.from('MZ'.padEnd(128, '\0'))])
    expect(formatOf(other)).toBeUndefined()
})

test('no package is made of a Node that is missing, cannot carry a program, or is of another machine or version', async () => {
  const out = newFolder()
  const [other] = Object.keys(platforms).filter(
    (platform) => platform !== here && !here.startsWith(platform.slice(0, 3)),
  )
  const { format, machine } = platforms[other as keyof typeof platforms]
  const foreign = join(out, 'foreign')
  writeFileSync(foreign, heads[format]!(machine))
  const ofAnotherVersion = join(out, 'of another version')
  const fuse = Buffer.from('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2 /v1.2.3/')
  writeFileSync(ofAnotherVersion, Buffer.concat([heads[format]!(machine), fuse]))
  for (const wanted of [
    { platform: other! },
    { platform: other!, node: process.execPath, addon: foreign },
    { platform: other!, node: foreign, addon: foreign },
    { platform: other!, node: ofAnotherVersion, addon: foreign },
    { platform: here, addon: foreign },
    { platform: here, node: join(out, 'nothing') },
    { platform: 'amiga-m68k', node: process.execPath, addon: foreign },
  ])
    await expect(packageAgent(root, { ...wanted, out: join(out, 'made') })).rejects.toThrow(Hindrance)
  expect(readdirSync(out).sort()).toEqual(['foreign', 'of another version'])
})

import { EngineError } from '../../../errors/engine-error.ts'
import { readZip } from '../../../zip/zip-reader.ts'
import { type NewZipFile, writeZip } from '../../../zip/zip-writer.ts'
import type { Random } from '../random.ts'
import { anyBytes } from './any-bytes.ts'
import { derDamage } from './der.ts'
import type { Mutator, Mutators } from './mutator.ts'
import { xmlDamage } from './xml.ts'

const inside: Mutators = { ...anyBytes, ...derDamage, ...xmlDamage }
const names = [
  'mimetype',
  'META-INF/signature.p7s',
  'META-INF/ASiCManifest.xml',
  'META-INF/x',
  'more.txt',
  'a/b',
  'META-INF/timestamp.tst',
]

/** Mutators for zip archives: the archive stays one, and what is in it does not. */
export const zipDamage: Mutators = {
  'damage a file': files((all, random, other) => {
    const at = random.below(all.length)
    const damage = inside[random.pick(Object.keys(inside))]!
    return all.with(at, { ...all[at]!, content: damage(Buffer.from(all[at]!.content), random, other) })
  }),
  'drop a file': files((all, random) => all.toSpliced(random.below(all.length), 1)),
  'add a file': files((all, random) => [...all, { ...random.pick(all), name: random.pick(names) }]),
  'rename a file': files((all, random) => {
    const at = random.below(all.length)
    return all.with(at, { ...all[at]!, name: random.pick(names) })
  }),
  'exchange two files': files((all, random) => {
    const [a, b] = [random.below(all.length), random.below(all.length)]
    return all.with(a, { ...all[a]!, content: all[b]!.content }).with(b, { ...all[b]!, content: all[a]!.content })
  }),
  'reverse the order': files((all) => all.toReversed()),
}

/** Changes the files of an archive and packs them again; other bytes stay as they are. */
function files(change: (all: NewZipFile[], random: Random, other: Buffer) => NewZipFile[]): Mutator {
  return (bytes, random, other) => {
    try {
      const { entries } = readZip(bytes)
      const all = entries.map(({ name, content }) => ({ name, content, stored: true }))
      return all.length === 0 ? bytes : writeZip(change(all, random, other), new Date(0))
    } catch (error) {
      if (error instanceof EngineError) return bytes // Another mutation made it none.
      throw error
    }
  }
}

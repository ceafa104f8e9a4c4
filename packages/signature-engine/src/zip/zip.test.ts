import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { readZip } from './zip-reader.ts'
import { updateZip, writeZip } from './zip-writer.ts'

const now = new Date('2027-02-03T04:05:06Z')
const long = Buffer.from('the same words again and again '.repeat(50))
const files = [
  { name: 'mimetype', content: Buffer.from('text/plain'), stored: true },
  { name: 'a/relatório.txt', content: long },
  { name: 'b.bin', content: Buffer.from('b') },
]
const archive = writeZip(files, now)
const codeOf = (code: string) => expect.objectContaining({ code })
const namesIn = (zip: Uint8Array) => readZip(zip).entries.map(({ name }) => name)

/** The archive with these bytes at this place. */
function changed(zip: Buffer, at: number, ...bytes: number[]): Buffer {
  const copy = Buffer.from(zip)
  copy.set(bytes, at)
  return copy
}

/** Where the nth local header, or header of the directory, begins. */
function headerAt(zip: Buffer, kind: 'local' | 'entry' | 'end', nth = 0): number {
  const signature = { local: 'PK\x03\x04', entry: 'PK\x01\x02', end: 'PK\x05\x06' }[kind]
  let at = -1
  for (let i = 0; i <= nth; i++) at = zip.indexOf(signature, at + 1, 'latin1')
  return at
}

const both = (zip: Buffer, nth: number, local: number, entry: number, ...bytes: number[]) =>
  changed(changed(zip, headerAt(zip, 'local', nth) + local, ...bytes), headerAt(zip, 'entry', nth) + entry, ...bytes)

/** An archive of files of one letter each, whose names are then replaced by others of the same length. */
function renamed(names: readonly string[]): Buffer {
  let zip = writeZip(
    names.map((name, at) => ({
      name: String.fromCharCode(97 + at).repeat(Buffer.byteLength(name)),
      content: Buffer.from('x'),
    })),
    now,
  )
  names.forEach((name, at) => {
    zip = both(zip, at, 30, 46, ...Buffer.from(name))
  })
  return zip
}

/** The first file of an archive as writers to a pipe leave it: sizes and checksum behind the data. */
function withDescriptor(zip: Buffer, { signed = true, wrong = false, sizes = 0 } = {}): Buffer {
  const entry = headerAt(zip, 'entry')
  const next = headerAt(zip, 'local', 1)
  const fields = Buffer.from(zip.subarray(entry + 16, entry + 28))
  if (wrong) fields[0]! ^= 1
  const descriptor = Buffer.concat([Buffer.from(signed ? 'PK\x07\x08' : '', 'latin1'), fields])
  const flagged = both(zip, 0, 6, 8, 8)
  flagged.fill(sizes, 14, 26)
  let grown = Buffer.concat([flagged.subarray(0, next), descriptor, flagged.subarray(next)])
  for (let at = 1; at < 3; at++) {
    const header = headerAt(grown, 'entry', at)
    grown.writeUInt32LE(grown.readUInt32LE(header + 42) + descriptor.length, header + 42)
  }
  const end = headerAt(grown, 'end')
  grown = Buffer.from(grown)
  grown.writeUInt32LE(grown.readUInt32LE(end + 16) + descriptor.length, end + 16)
  return grown
}

const deflatedFirst = writeZip([files[1]!, files[0]!, files[2]!], now)

describe('an archive', () => {
  test('is read by unzip and by us, name by name and byte by byte', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.zip'), archive)
    const tested = await runTool('unzip', ['-tqq', 'a.zip'], { folder })
    expect(tested.ok, tested.text).toBe(true)
    await runTool('unzip', ['-q', 'a.zip'], { folder })
    expect(readFileSync(join(folder, 'a', 'relatório.txt')).equals(long)).toBe(true)
    expect(readZip(archive).entries.map(({ name, content }) => [name, content])).toEqual(
      files.map(({ name, content }) => [name, content]),
    )
    expect(readZip(archive).entries.map(({ isStored }) => isStored)).toEqual([true, false, true])
  })

  test('is read as zip writes it', async () => {
    const folder = temporaryFolder()
    for (const { name, content } of files) writeFileSync(join(folder, name.replace('a/', '')), content)
    await runTool('zip', ['-q', 'a.zip', 'mimetype', 'relatório.txt', 'b.bin'], { folder })
    await runTool('zip', ['-q', '-z', 'a.zip'], { folder, input: 'a comment\n' })
    const made = readFileSync(join(folder, 'a.zip'))
    expect(readZip(made)).toMatchObject({ comment: 'a comment', entries: [{ hasExtra: true }, {}, {}] })
    expect(namesIn(made)).toEqual(['mimetype', 'relatório.txt', 'b.bin'])
  })

  test('keeps every byte of what stays when files are added and replaced', () => {
    const grown = updateZip(
      readZip(archive),
      [
        { name: 'B.BIN', content: Buffer.from('new') },
        { name: 'c', content: long },
      ],
      now,
    )
    expect(namesIn(grown)).toEqual(['mimetype', 'a/relatório.txt', 'B.BIN', 'c'])
    const kept = headerAt(archive, 'local', 2)
    expect(grown.subarray(0, kept).equals(archive.subarray(0, kept))).toBe(true)
  })

  test('of nothing is read, and folders are left out', () => {
    expect(namesIn(writeZip([], now))).toEqual([])
    expect(
      namesIn(
        writeZip(
          [
            { name: 'a/', content: Buffer.alloc(0) },
            { name: 'a/b', content: long },
          ],
          now,
        ),
      ),
    ).toEqual(['a/b'])
  })

  test.each([
    ['with a signature', {}],
    ['without one', { signed: false }],
  ])('with sizes behind the data, %s, is read', (_what, options) => {
    expect(readZip(withDescriptor(deflatedFirst, options)).entries[0]!.content.equals(long)).toBe(true)
  })
})

const local = (nth: number) => headerAt(archive, 'local', nth)
const entry = (nth: number) => headerAt(archive, 'entry', nth)
const endAt = headerAt(archive, 'end')

describe('an archive is refused', () => {
  test.each<[string, Buffer, string]>([
    ['where a local header has another name', changed(archive, local(1) + 30, 0x62), 'zip.ambiguous'],
    ['where a local header has another method', changed(archive, local(1) + 8, 0), 'zip.ambiguous'],
    ['where a local header has another size', changed(archive, local(1) + 22, 9), 'zip.ambiguous'],
    ['where a local header has another checksum', changed(archive, local(1) + 14, 9, 9), 'zip.ambiguous'],
    ['where the content has another checksum', both(archive, 2, 14, 16, 1, 2, 3, 4), 'zip.malformed'],
    ['where a file is longer than it says', both(archive, 1, 22, 24, 3, 0), 'zip.malformed'],
    ['where two headers name the same bytes', changed(archive, entry(2) + 42, 0, 0, 0, 0), 'zip.malformed'],
    ['with bytes before the first file', Buffer.concat([Buffer.from('MZ'), archive]), 'zip.ambiguous'],
    ['with bytes behind its end', Buffer.concat([archive, Buffer.from('x')]), 'zip.malformed'],
    [
      'with a second end in the comment',
      Buffer.concat([changed(archive, endAt + 20, 22), archive.subarray(endAt)]),
      'zip.ambiguous',
    ],
    ['with fewer files than its directory', changed(archive, endAt + 8, 2, 0, 2, 0), 'zip.ambiguous'],
    ['with more files than its directory', changed(archive, endAt + 8, 4, 0, 4, 0), 'zip.malformed'],
    ['of several volumes', changed(archive, endAt + 4, 1), 'zip.unsupported'],
    ['of ZIP64', changed(archive, endAt + 12, 255, 255, 255, 255), 'zip.unsupported'],
    ['with an encrypted file', both(archive, 1, 6, 8, 1), 'zip.unsupported'],
    ['with an unknown compression', both(archive, 1, 8, 10, 12), 'zip.unsupported'],
    ['with a symbolic link', changed(changed(archive, entry(2) + 5, 3), entry(2) + 40, 0xff, 0xa1), 'zip.unsupported'],
    ['with a descriptor that says something else', withDescriptor(deflatedFirst, { wrong: true }), 'zip.ambiguous'],
    ['with a descriptor nobody announced', withDescriptor(archive), 'zip.ambiguous'],
    ['with one file twice', renamed(['x', 'x']), 'zip.duplicate-name'],
    ['with one file twice where case does not count', renamed(['x', 'X']), 'zip.duplicate-name'],
    ['with a file that is the folder of another', renamed(['x', 'x/y']), 'zip.duplicate-name'],
    ['with a name above its folder', renamed(['../x']), 'zip.unsafe-name'],
    ['with a name above its folder in the middle', renamed(['a/../../x']), 'zip.unsafe-name'],
    ['with an absolute name', renamed(['/x']), 'zip.unsafe-name'],
    ['with the name of a drive', renamed(['c:x']), 'zip.unsafe-name'],
    ['with a backslash in a name', renamed(['a\\x']), 'zip.unsafe-name'],
    ['with a zero in a name', renamed(['a\0']), 'zip.unsafe-name'],
    ['with an empty name', writeZip([{ name: '', content: long }], now), 'zip.unsafe-name'],
    ['with a name that is no UTF-8', both(renamed(['ab']), 0, 30, 46, 0xff), 'zip.ambiguous'],
  ])('%s', (_what, zip, code) => {
    expect(() => readZip(zip)).toThrow(codeOf(code))
  })

  test('before it is unpacked, where it would be too large', () => {
    const bomb = writeZip([{ name: 'zeros', content: Buffer.alloc(70 * 1024 * 1024) }], now)
    expect(() => readZip(bomb)).toThrow(codeOf('zip.too-large'))
    expect(() => readZip(archive, { files: 2 })).toThrow(codeOf('zip.too-large'))
    // A bomb that lies about its size is stopped where the lie ends.
    const liar = both(bomb, 0, 22, 24, 1, 0, 0, 0)
    expect(() => readZip(liar)).toThrow(codeOf('zip.malformed'))
  })

  test('where it is cut off, and never read otherwise where one byte changed', () => {
    for (let length = 0; length < archive.length; length++)
      expect(() => readZip(archive.subarray(0, length))).toThrow(expect.objectContaining({ name: 'EngineError' }))
    for (let at = 0; at < archive.length; at++) {
      try {
        for (const { name, content } of readZip(changed(archive, at, archive[at]! ^ 0x55)).entries) {
          const same = files.find((file) => file.name === name)
          if (same) expect(content.equals(same.content)).toBe(true)
        }
      } catch (error) {
        expect(error).toMatchObject({ name: 'EngineError' })
      }
    }
  })
})

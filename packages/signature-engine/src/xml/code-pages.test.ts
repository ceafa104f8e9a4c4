import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, test } from 'vitest'
import type { EngineError } from '../errors/engine-error.ts'
import { canonicalBytes } from './canonical-form.ts'
import { codePageNames } from './code-pages.ts'
import { encodeDocument } from './encodings.ts'
import { scanXml } from './xml-scanner.ts'

const FORM = { family: 'inclusive', withComments: true } as const
const UPPER_HALF = Array.from({ length: 128 }, (_, at) => 0x80 + at)

const document = (declared: string, bytes: readonly number[]): Buffer =>
  Buffer.concat([
    Buffer.from(`<?xml version="1.0" encoding="${declared}"?>\n<a>`),
    Buffer.from(bytes),
    Buffer.from('</a>'),
  ])

function isRead(xml: Buffer): boolean {
  try {
    scanXml(xml)
    return true
  } catch (error) {
    assert.equal((error as EngineError).code, 'xml.encoding-broken')
    return false
  }
}

describe.each(codePageNames)('%s', (name) => {
  const read = UPPER_HALF.filter((byte) => isRead(document(name, [byte])))

  test('has the canonical form that xmllint makes of it, and its own bytes again when it is written', async () => {
    const folder = temporaryFolder()
    const xml = document(name, read)
    writeFileSync(join(folder, 'all.xml'), xml)
    const { tables } = scanXml(xml)
    const { ok, stdout } = await runTool('xmllint', ['--c14n', 'all.xml'], { folder })
    assert.ok(ok)
    assert.equal(canonicalBytes(scanXml(xml), FORM).toString('utf8'), stdout.toString('utf8').trimEnd())
    assert.deepEqual(encodeDocument(tables.bytes, tables.encoding), xml)
  })

  test('has no characters where xmllint has none', async () => {
    const folder = temporaryFolder()
    const refused = UPPER_HALF.filter((byte) => !read.includes(byte)).map((byte) => `${byte.toString(16)}.xml`)
    for (const file of refused) writeFileSync(join(folder, file), document(name, [Number.parseInt(file, 16)]))
    if (refused.length === 0) return
    const { text } = await runTool('xmllint', ['--noout', ...refused], { folder })
    for (const file of refused) assert.match(text, new RegExp(`^${file}:`, 'm'))
  })
})

test('encodings are found by their other registered names, in any case', () => {
  const names = {
    Latin2: 'ISO-8859-2',
    l5: 'ISO-8859-9',
    latin9: 'ISO-8859-15',
    'iso_8859-5': 'ISO-8859-5',
    CP1250: 'windows-1250',
  }
  for (const [declared, encoding] of Object.entries(names))
    assert.equal(scanXml(document(declared, [])).tables.encoding, encoding)
})

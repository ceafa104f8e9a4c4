// What anybody may send to the public doors: damaged documents, bombs and strange codes. None of it makes the service fail,
// hang or grow.
import { callerOf, readAnswer } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { databases, sharedPlatform } from './test-support/credential-world.ts'
import { clock, signingSettings } from './test-support/pki.ts'
import { closedDegree, closedDocumentation } from './test-support/registry.ts'

/** More of them: CHANCELA_DOOR_FILES=3000. */
const FILES = Number(process.env['CHANCELA_DOOR_FILES'] ?? 40)
const LONGEST = 60_000
const MOST_GROWTH = 400 * 2 ** 20

const root = '<Diploma xmlns="http://portal.mec.gov.br/diplomadigital/arquivos-em-xsd">'
const laughs = Array.from({ length: 30 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')

const bombs: Readonly<Record<string, string | Buffer>> = {
  'entities in entities': `<!DOCTYPE d [<!ENTITY l0 "ha">${laughs}]>${root}&l30;</Diploma>`,
  'an entity from a file': `<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>${root}&x;</Diploma>`,
  'an entity from elsewhere': `<!DOCTYPE d [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]>${root}&x;</Diploma>`,
  'elements in elements': `${root}${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}</Diploma>`,
  'elements that do not end': `${root}${'<a>'.repeat(500_000)}`,
  'elements side by side': `${root}${'<a/>'.repeat(300_000)}</Diploma>`,
  'a huge attribute': `<Diploma a="${'x'.repeat(8_000_000)}"/>`,
  'many attributes': `<Diploma ${Array.from({ length: 50_000 }, (_, at) => `a${at}="1"`).join(' ')}/>`,
  'many namespaces': `<Diploma ${Array.from({ length: 20_000 }, (_, at) => `xmlns:n${at}="u${at}"`).join(' ')}/>`,
  'a huge text': `${root}${'x'.repeat(10_000_000)}</Diploma>`,
  'a comment that does not end': `${root}<!--${'-'.repeat(2_000_000)}`,
  'sections in sections': `${root}${'<![CDATA['.repeat(200_000)}`,
  'character references': `${root}${'&#65;'.repeat(500_000)}</Diploma>`,
  'another encoding': Buffer.from(`\ufeff<?xml version="1.0" encoding="UTF-16"?>${root}</Diploma>`, 'utf16le'),
  'bytes that are no text': Buffer.alloc(1_000_000, 0xff),
  nothing: ' ',
}

const codes: readonly string[] = [
  ...['%00', '..%2f..%2fetc%2fpasswd', '%ff%fe', `1.2.${'a'.repeat(4000)}`, '1.2.%0a', '%F0%9F%98%80', "1.2.'--", '*'],
  ...['1.2.abcdefabcdef', '1.2.ABCDEFABCDEF', '1.2', '0.0.000000000000', '1e9.2.abcdefabcdef', '-1.2.abcdefabcdef'],
]

/** Repeatable chance (mulberry32). */
function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Damage = (bytes: Buffer, below: (most: number) => number) => Buffer

/** A stretch that begins anywhere. */
const stretch = ({ length }: Buffer, below: (most: number) => number): readonly [start: number, end: number] => {
  const start = below(length)
  return [start, Math.min(length, start + 1 + below(400))]
}

const damages: readonly Damage[] = [
  (bytes, below) => bytes.subarray(0, below(bytes.length)),
  (bytes, below) => Buffer.from(bytes).fill(below(256), ...stretch(bytes, below)),
  (bytes, below) => {
    const [start, end] = stretch(bytes, below)
    return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
  },
  (bytes, below) => {
    const [start, end] = stretch(bytes, below)
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)])
  },
  (bytes, below) => {
    const copy = Buffer.from(bytes)
    for (let flips = 1 + below(8); flips > 0; flips--) copy[below(copy.length)] = below(256)
    return copy
  },
]

// One database: nothing of this is kept.
describe('the public doors', () => {
  const open = sharedPlatform(databases[0]!, { ...signingSettings, RateLimiting: { Enabled: false } }, clock)

  async function verify(bytes: Buffer | string) {
    const begun = performance.now()
    const headers = { 'content-type': 'application/xml' }
    const body = Uint8Array.from(Buffer.from(bytes))
    const answer = await readAnswer(await callerOf(open().baseUrl).call('POST', '/public/verify', { body, headers }))
    expect(performance.now() - begun).toBeLessThan(LONGEST)
    return answer
  }

  /** Wrong documents are judged, or refused by a code of the contract; they are never accepted. */
  const faultIn = ({ status, body, text }: Awaited<ReturnType<typeof verify>>): string | undefined =>
    status < 500 && body?.verdict !== 'accepted' ? undefined : `${status} ${text.slice(0, 200)}`

  test('bombs are refused in little time and memory', async () => {
    const before = process.memoryUsage().rss
    for (const [name, bomb] of Object.entries(bombs))
      expect([name, faultIn(await verify(bomb))]).toEqual([name, undefined])
    expect(process.memoryUsage().rss - before).toBeLessThan(MOST_GROWTH)
  })

  test('damaged documents are judged, and none of them is accepted', { timeout: 3_600_000 }, async () => {
    const below = dice(18)
    const documented = await closedDocumentation()
    const whole = [documented, await closedDegree(documented)]
    const faults: string[] = []
    for (let file = 0; file < FILES; file++) {
      const damaged = damages[file % damages.length]!(whole[below(2)]!, below)
      if (whole.some((one) => one.equals(damaged))) continue
      const fault = faultIn(await verify(damaged))
      if (fault !== undefined) faults.push(`file ${file}: ${fault}`)
    }
    expect(faults).toEqual([])
  })

  test('strange codes are unknown ones, to programs and to browsers', async () => {
    for (const code of codes)
      for (const tail of ['', '.xml', '/rvdd'])
        for (const accept of ['application/json', 'text/html']) {
          const { status } = await callerOf(open().baseUrl, { accept }).call('GET', `/${code}${tail}`)
          expect([code, tail, status >= 400 && status < 500]).toEqual([code, tail, true])
        }
  })
})
